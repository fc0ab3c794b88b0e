// Loaded in front of the C library into a service under torture (LD_PRELOAD). A file that both processes map says which faults are on: flushes to the disk that
// fail, and a clock that runs ahead or behind by whole seconds. Monotonic clocks go on as they are, as they do when somebody sets the clock of a machine. What
// was flushed is on the device (device.c).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct control {
  volatile int32_t failing_flushes;
  volatile int32_t clock_seconds;
};

void device_flush(int file);

static struct control none;
static struct control *control = &none;

__attribute__((constructor)) static void map_control(void) {
  const char *path = getenv("TORTURE_CONTROL");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) control = mapped;
  close(file);
}

// The library's own function of a name, looked up once.
#define ORIGINAL(name) \
  static __typeof__(&name) original; \
  if (original == NULL) original = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define FAILING_FLUSH(name, arguments) \
  ORIGINAL(name); \
  if (control->failing_flushes) { \
    errno = EIO; \
    return -1; \
  } \
  return original arguments

static int flushed(int file, int result) {
  if (result == 0) device_flush(file);
  return result;
}

static int flush_all(int file) { FAILING_FLUSH(fsync, (file)); }

static int flush_data(int file) { FAILING_FLUSH(fdatasync, (file)); }

int fsync(int file) { return flushed(file, flush_all(file)); }

int fdatasync(int file) { return flushed(file, flush_data(file)); }

int msync(void *address, size_t length, int flags) { FAILING_FLUSH(msync, (address, length, flags)); }

int clock_gettime(clockid_t clock, struct timespec *now) {
  ORIGINAL(clock_gettime);
  int result = original(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += control->clock_seconds;
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  ORIGINAL(gettimeofday);
  int result = original(now, zone);
  if (result == 0) now->tv_sec += control->clock_seconds;
  return result;
}
