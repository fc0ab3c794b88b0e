/*
 * An HTTP/1.1 load generator for loopback, cheaper than any server it can be pointed at: one thread, blocking sends, epoll, requests that were
 * rendered beforehand and are mapped from a file, and a parser that knows a status line and a content length.
 *
 *   generator closed|open PORT FILE CONNECTIONS WARM_MS MEASURE_MS RATE SEED
 *
 * closed: each connection sends its next request when it has its answer.
 * open:   arrivals follow a Poisson process of RATE a second whatever the server does. An arrival that finds no idle connection waits in line, and
 *         latency counts from the scheduled arrival, so a slow server cannot slow down the clock it is measured with.
 *
 * FILE: number of requests and the length of each (32 bits, little-endian), then their bytes. Prints one line of JSON. Latencies are counts in
 * logarithmic buckets: 64 to a power of two of nanoseconds (bench/statistics.ts reads them).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_CONNECTIONS 1024
#define MAX_LINE 1048576 /* arrivals that may wait for a connection */
#define RESPONSE_BYTES 65536
#define BUCKETS 4096
#define DRAIN_NS 2000000000LL /* how long answers may still come after the last arrival */

typedef struct {
  int socket;
  int64_t since; /* closed: time of sending; open: scheduled arrival */
  int used;
  char bytes[RESPONSE_BYTES];
} connection;

static connection connections[MAX_CONNECTIONS];
static int idle[MAX_CONNECTIONS], idle_count;
static int64_t line[MAX_LINE];
static uint32_t line_head, line_tail;
static const char *request_bytes;
static const uint32_t *request_lengths;
static uint64_t *request_offsets;
static uint32_t request_count, next_request;
static uint32_t buckets[BUCKETS];
static uint64_t arrived, sent, answered, measured, completed, succeeded, not_found, other;
static int64_t measure_from, measure_until;
static uint64_t random_state;

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "refused");
  exit(1);
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* xorshift64*, 0 < x <= 1 */
static double draw(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return ((random_state * 2685821657736338717ULL >> 11) + 1) / 9007199254740992.0;
}

static int bucket_of(int64_t ns) {
  if (ns < 64) return ns < 0 ? 0 : (int)ns;
  int power = 63 - __builtin_clzll((uint64_t)ns);
  int bucket = (power - 5) * 64 + (int)((ns >> (power - 6)) & 63);
  return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

static void map_requests(const char *path) {
  int file = open(path, O_RDONLY);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0) fail(path);
  const uint32_t *words = mmap(NULL, about.st_size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
  if (words == MAP_FAILED) fail(path);
  request_count = words[0];
  request_lengths = words + 1;
  request_bytes = (const char *)(words + 1 + request_count);
  request_offsets = malloc(sizeof(uint64_t) * request_count);
  uint64_t offset = 0;
  for (uint32_t i = 0; i < request_count; i++) {
    request_offsets[i] = offset;
    offset += request_lengths[i];
  }
}

static void send_request(connection *c, int64_t since) {
  uint32_t number = next_request++ % request_count;
  const char *from = request_bytes + request_offsets[number];
  size_t left = request_lengths[number];
  c->since = since;
  while (left > 0) {
    ssize_t done = send(c->socket, from, left, MSG_NOSIGNAL);
    if (done < 0) fail("send");
    from += done;
    left -= done;
  }
  sent++;
}

/* Bytes of the whole response when it is there, 0 when more must come. */
static int response_length(const char *bytes, int used) {
  const char *end = memmem(bytes, used, "\r\n\r\n", 4);
  if (end == NULL) return 0;
  const char *field = strcasestr(bytes, "\r\ncontent-length:");
  if (field == NULL || field > end) {
    errno = 0;
    fail("a response without content-length");
  }
  int length = (int)(end + 4 - bytes) + atoi(field + 17);
  return used >= length ? length : 0;
}

/* Reads what has come; true when the connection has its answer. */
static int receive(connection *c, int64_t *now) {
  ssize_t got = recv(c->socket, c->bytes + c->used, RESPONSE_BYTES - 1 - c->used, MSG_DONTWAIT);
  if (got == 0) {
    errno = 0;
    fail("the server closed a connection");
  }
  if (got < 0) {
    if (errno == EAGAIN) return 0;
    fail("receive");
  }
  c->used += got;
  c->bytes[c->used] = 0;
  if (response_length(c->bytes, c->used) == 0) return 0;
  *now = now_ns();
  answered++;
  int status = atoi(c->bytes + 9);
  if (status >= 200 && status < 300) succeeded++;
  else if (status == 404) not_found++;
  else if (other++ == 0) fprintf(stderr, "The first answer of another kind: %.400s\n", c->bytes);
  c->used = 0;
  return 1;
}

static int in_window(int64_t at) {
  return at >= measure_from && at < measure_until;
}

/* Counts the latency of an answer when `at` lies in the window: closed loop by the time it came, open loop by the time it was scheduled. */
static void record(int64_t at, int64_t since, int64_t now) {
  completed += in_window(now);
  if (!in_window(at)) return;
  measured++;
  buckets[bucket_of(now - since)]++;
}

static int open_connections(int port, int count) {
  int poll = epoll_create1(0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  for (int i = 0; i < count; i++) {
    connection *c = &connections[i];
    int on = 1;
    c->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (c->socket < 0 || connect(c->socket, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    epoll_ctl(poll, EPOLL_CTL_ADD, c->socket, &event);
  }
  return poll;
}

static void run_closed(int poll, int count) {
  struct epoll_event events[256];
  for (int i = 0; i < count; i++) send_request(&connections[i], now_ns());
  uint64_t outstanding = count;
  while (outstanding > 0) {
    int ready = epoll_wait(poll, events, 256, 5000);
    if (ready <= 0) fail("no answer within 5 s");
    for (int i = 0; i < ready; i++) {
      connection *c = &connections[events[i].data.u32];
      int64_t now;
      if (!receive(c, &now)) continue;
      record(now, c->since, now);
      if (now < measure_until) send_request(c, now);
      else outstanding--;
    }
  }
}

static void run_open(int poll, int count, double rate) {
  struct epoll_event events[256];
  int64_t arrival = now_ns();
  for (int i = 0; i < count; i++) idle[idle_count++] = i;
  for (;;) {
    int64_t now = now_ns();
    while (arrival <= now && arrival < measure_until) {
      if (line_tail - line_head == MAX_LINE) {
        errno = 0;
        fail("more arrivals wait than the line holds: the server is far below this rate");
      }
      line[line_tail++ % MAX_LINE] = arrival;
      arrived += in_window(arrival);
      arrival += (int64_t)(-log(draw()) * 1e9 / rate) + 1;
    }
    while (line_head != line_tail && idle_count > 0) send_request(&connections[idle[--idle_count]], line[line_head++ % MAX_LINE]);
    int finished = arrival >= measure_until && line_head == line_tail;
    if (finished && (idle_count == count || now > measure_until + DRAIN_NS)) return;
    int64_t wait = finished ? 10000000 : arrival - now_ns();
    if (wait < 0) wait = 0;
    struct timespec timeout = {wait / 1000000000, wait % 1000000000};
    int ready = epoll_pwait2(poll, events, 256, &timeout, NULL);
    for (int i = 0; i < ready; i++) {
      connection *c = &connections[events[i].data.u32];
      if (!receive(c, &now)) continue;
      record(c->since, c->since, now);
      idle[idle_count++] = events[i].data.u32;
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 9) {
    fprintf(stderr, "usage: generator closed|open PORT FILE CONNECTIONS WARM_MS MEASURE_MS RATE SEED\n");
    return 1;
  }
  int count = atoi(argv[4]);
  double seed = atof(argv[8]);
  if (count < 1 || count > MAX_CONNECTIONS) {
    fprintf(stderr, "CONNECTIONS must be 1 to %d\n", MAX_CONNECTIONS);
    return 1;
  }
  prctl(PR_SET_TIMERSLACK, 1);
  map_requests(argv[3]);
  int poll = open_connections(atoi(argv[2]), count);
  random_state = 0x9e3779b97f4a7c15ULL ^ ((uint64_t)seed * 2685821657736338717ULL);
  next_request = (uint32_t)(draw() * request_count);
  measure_from = now_ns() + atoll(argv[5]) * 1000000;
  measure_until = measure_from + atoll(argv[6]) * 1000000;
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  if (strcmp(argv[1], "open") == 0) run_open(poll, count, atof(argv[7]));
  else run_closed(poll, count);
  getrusage(RUSAGE_SELF, &after);
  double cpu = after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec +
               (after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1e6;
  printf("{\"arrived\":%lu,\"sent\":%lu,\"answered\":%lu,\"measured\":%lu,\"completed\":%lu,\"succeeded\":%lu,\"notFound\":%lu,\"failed\":%lu,"
         "\"cpuSeconds\":%.6f,\"latency\":[",
         arrived, sent, answered, measured, completed, succeeded, not_found, other, cpu);
  const char *comma = "";
  for (int i = 0; i < BUCKETS; i++) {
    if (buckets[i] == 0) continue;
    printf("%s[%d,%u]", comma, i, buckets[i]);
    comma = ",";
  }
  printf("]}\n");
  return 0;
}
