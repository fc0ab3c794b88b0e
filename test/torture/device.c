// The device below a data folder under torture. It holds of each file what was flushed, in a folder of its own, so that a power cut can leave that and no more
// (power_cut.ts). A file is known by its inode and the time of its birth: names are durable at once, contents are not. What is written past the page cache
// (O_DSYNC) is on the device at once. The boot of the machine has another identity after each cut, by which LMDB knows that pages in memory are gone.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK 65536
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static pthread_mutex_t flushing = PTHREAD_MUTEX_INITIALIZER;

// The copy of a file on the device, opened; -1 for what is no file of the data folder.
static int copy_of(int file, struct statx *about) {
  const char *device = getenv("TORTURE_DEVICE");
  const char *folder = getenv("TORTURE_FOLDER");
  if (device == NULL || folder == NULL) return -1;
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return -1;
  path[length] = 0;
  if (strncmp(path, folder, strlen(folder)) != 0) return -1;
  if (statx(file, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, about) != 0 || !S_ISREG(about->stx_mode)) return -1;
  long long born = (long long)about->stx_btime.tv_sec * 1000000000LL + about->stx_btime.tv_nsec;
  snprintf(path, sizeof path, "%s/%llu-%lld", device, (unsigned long long)about->stx_ino, born);
  return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

// Called after each flush: brings the device to what the file holds now.
void device_flush(int file) {
  static __thread char now[BLOCK], then[BLOCK];
  struct statx about;
  int copy = copy_of(file, &about);
  if (copy < 0) return;
  pthread_mutex_lock(&flushing);
  // The file may have been opened for writing alone.
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  int read = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
  if (ftruncate(copy, (off_t)about.stx_size) == 0 && read >= 0) {
    for (off_t at = 0; at < (off_t)about.stx_size; at += BLOCK) {
      ssize_t bytes = pread(read, now, BLOCK, at);
      if (bytes <= 0) break;
      if (pread(copy, then, (size_t)bytes, at) != bytes || memcmp(now, then, (size_t)bytes) != 0)
        syscall(SYS_pwrite64, copy, now, (size_t)bytes, at);
    }
  }
  if (read >= 0) close(read);
  close(copy);
  pthread_mutex_unlock(&flushing);
}

static void pass_through(int file, const void *bytes, ssize_t written, off_t at) {
  int flags = written > 0 ? fcntl(file, F_GETFL) : -1;
  if (flags < 0 || (flags & O_DSYNC) == 0) return;
  struct statx about;
  int copy = copy_of(file, &about);
  if (copy < 0) return;
  syscall(SYS_pwrite64, copy, bytes, (size_t)written, at);
  close(copy);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  ssize_t written = syscall(SYS_pwrite64, file, bytes, count, at);
  pass_through(file, bytes, written, at);
  return written;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { return pwrite(file, bytes, count, (off_t)at); }

static const char *booted(const char *path) {
  const char *boot = getenv("TORTURE_BOOT");
  return boot != NULL && strcmp(path, BOOT_ID) == 0 ? boot : path;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list list; \
    va_start(list, flags); \
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0; \
    va_end(list); \
    return (int)syscall(SYS_openat, AT_FDCWD, booted(path), flags, mode); \
  }

OPEN(open)
OPEN(open64)
