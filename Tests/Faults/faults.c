// Faults of the system, for a program that knows nothing of them: loaded by LD_PRELOAD, it counts
// the calls that deal with files below one folder, and lets one of them go wrong.
//
//   FAULTS_UNDER   the folder
//   FAULTS_LOG     a file to which every call is written, with its bytes (see note())
//   FAULTS_AT      the number of the call at which something happens, from 1
//   FAULTS_DO      before, half, after: the program is killed then; short: a write takes half;
//                  or the number of an error, with which the call fails
//   FAULTS_ONLY    letters of the calls that can fail; others pass (see the names below)
//   FAULTS_FOR     so many calls fail from that one on; 0 for all
//   FAULTS_NOSYNC  fsync and fdatasync say at once that all is well
//   FAULTS_LINES   a socket gives one line at a time, so that every run makes the same calls
//   FAULTS_EVERY   every so many calls one fails, from FAULTS_AT on
//   FAULTS_CLOCK   seconds by which the wall clock leaps; FAULTS_BOOT: by which the machine sleeps,
//                  both after FAULTS_LEAP pieces were received
//   FAULTS_USES    a file to which is written what the process uses, see look(), at every so many
//                  reads and writes as FAULTS_LOOK says: at the same moments on every machine
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { most_files = 4096 };

// The next function of that name: the real one.
#define REAL(name) ((__typeof__(&name))real(#name, __COUNTER__))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char under[PATH_MAX];
static size_t under_length;
static char tracked[most_files];
static int log_file = -1, uses_file = -1;
static long number, at, lasts = 1;
static int wanted;          // the error, or one of the following
enum { before = -1, half = -2, after = -3, shortened = -4 };
static const char *only;
static int swallows_sync, by_lines;
static long every, wall_leap, boot_leap, leap_at;
static long look_every = 1;
static atomic_long received, moved;

static void *real(const char *name, int place) {
  static void *functions[128];
  if (!functions[place]) functions[place] = dlsym(RTLD_NEXT, name);
  return functions[place];
}

// MARK: Which files

// Whether a path lies below the folder; `full` is where it is then.
static int is_under(const char *path, char *full) {
  if (!under_length || !path) return 0;
  if (path[0] == '/') {
    if (snprintf(full, PATH_MAX, "%s", path) >= PATH_MAX) return 0;
  } else {
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here)) return 0;
    if (snprintf(full, PATH_MAX, "%s/%s", here, path) >= PATH_MAX) return 0;
  }
  return strncmp(full, under, under_length) == 0 &&
         (full[under_length] == '/' || full[under_length] == 0);
}

static int is_tracked(int file) { return file >= 0 && file < most_files && tracked[file]; }

static unsigned long inode(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? status.st_ino : 0;
}

// A file to add to, out of the way of the program's own files, whose numbers stay what they were.
static int aside(const char *path) {
  int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  int result = fcntl(file, F_DUPFD_CLOEXEC, 1000);
  syscall(SYS_close, file);
  return result;
}

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("FAULTS_UNDER");
  if (text && realpath(text, under)) under_length = strlen(under);
  if ((text = getenv("FAULTS_AT"))) at = atol(text);
  if ((text = getenv("FAULTS_FOR"))) lasts = atol(text);
  only = getenv("FAULTS_ONLY");
  swallows_sync = getenv("FAULTS_NOSYNC") != NULL;
  by_lines = (text = getenv("FAULTS_LINES")) && *text;
  if ((text = getenv("FAULTS_EVERY"))) every = atol(text);
  if ((text = getenv("FAULTS_CLOCK"))) wall_leap = atol(text);
  if ((text = getenv("FAULTS_BOOT"))) boot_leap = atol(text);
  if ((text = getenv("FAULTS_LEAP"))) leap_at = atol(text);
  if ((text = getenv("FAULTS_DO"))) {
    wanted = !strcmp(text, "before")  ? before
             : !strcmp(text, "half")  ? half
             : !strcmp(text, "after") ? after
             : !strcmp(text, "short") ? shortened
                                      : atoi(text);
  }
  if ((text = getenv("FAULTS_LOG"))) log_file = aside(text);
  if ((text = getenv("FAULTS_USES"))) uses_file = aside(text);
  if ((text = getenv("FAULTS_LOOK"))) look_every = atol(text);
  // A program that this one starts has no faults.
  unsetenv("LD_PRELOAD");
  // Standard output may be such a file from the start.
  for (int file = 0; file < 3; file++) {
    char link[32], path[PATH_MAX], full[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count > 0) {
      path[count] = 0;
      tracked[file] = path[0] == '/' && is_under(path, full);
    }
  }
}

// MARK: What it uses

static long number_behind(const char *text, const char *key) {
  const char *found = strstr(text, key);
  return found ? atol(found + strlen(key)) : 0;
}

// Writes down the memory in KiB, open files and threads, at every so many calls.
static void look(void) {
  if (uses_file < 0 || ++moved % look_every != 0) return;
  int error = errno;
  char status[8192];
  int file = syscall(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC);
  long count = syscall(SYS_read, file, status, sizeof status - 1);
  syscall(SYS_close, file);
  status[count > 0 ? count : 0] = 0;
  int files = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (folder && readdir(folder)) files++;
  if (folder) closedir(folder);
  char line[80];
  int size = snprintf(line, sizeof line, "%ld %d %ld\n", number_behind(status, "VmRSS:"), files,
                      number_behind(status, "Threads:"));
  (void)!syscall(SYS_write, uses_file, line, size);
  errno = error;
}

// MARK: What happens

// Writes a call down: its letter, the file's inode, two numbers, the lengths of two texts, a new
// line, the texts, a new line.
static void note(
    char letter, unsigned long file, long long first, long long second, const void *text,
    size_t length, const void *other, size_t other_length) {
  if (log_file < 0) return;
  char head[160];
  int size = snprintf(head, sizeof head, "%c %lu %lld %lld %zu %zu\n", letter, file, first, second,
                      length, other_length);
  struct iovec parts[] = {
      {head, size}, {(void *)text, length}, {(void *)other, other_length}, {"\n", 1}};
  (void)!syscall(SYS_writev, log_file, parts, 4);
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// What is to happen at this call: 0 for nothing, else the error or one of the names above.
static int fate(char letter) {
  number++;
  if (!at || number < at) return 0;
  if (wanted < 0 && wanted != shortened) return number == at ? wanted : 0;
  if (only && !strchr(only, letter)) {
    // What must happen once happens at the next call that can.
    if (lasts > 0 && number == at) at++;
    return 0;
  }
  if (every) return (number - at) % every == 0 ? wanted : 0;
  return lasts == 0 || number < at + lasts ? wanted : 0;
}

// The frame of a call: counted, killed before or after, failed.
#define CALL(letter, type, failure, perform, noted) \
  pthread_mutex_lock(&lock);                        \
  int fate_ = fate(letter);                         \
  if (fate_ == before || fate_ == half) die();      \
  if (fate_ > 0) {                                  \
    pthread_mutex_unlock(&lock);                    \
    errno = fate_;                                  \
    return failure;                                 \
  }                                                 \
  type result = perform;                            \
  int error_ = errno;                               \
  if (result >= 0) {                                \
    noted;                                          \
  } else {                                          \
    note('x', 0, error_, 0, "", 0, "", 0);          \
  }                                                 \
  if (fate_ == after) die();                        \
  pthread_mutex_unlock(&lock);                      \
  errno = error_;                                   \
  return result;

// MARK: open: o where it makes, empties or may write, r where it only reads

static int opened(int folder, const char *path, int flags, mode_t mode) {
  return syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
}

static int open_any(int folder, const char *path, int flags, mode_t mode) {
  char full[PATH_MAX];
  // Nothing here opens below a descriptor.
  if (folder != AT_FDCWD || !is_under(path, full)) return opened(folder, path, flags, mode);
  int changes = (flags & O_ACCMODE) != O_RDONLY;
  struct stat status;
  int is_new = (flags & O_CREAT) && lstat(full, &status) != 0;
  CALL(changes ? 'o' : 'r', int, -1, opened(folder, path, flags, mode), {
    if (result < most_files) tracked[result] = 1;
    if (changes)
      note('o', inode(result), is_new, (flags & O_TRUNC) != 0, full, strlen(full), "", 0);
    else
      note('r', inode(result), 0, 0, full, strlen(full), "", 0);
  })
}

#define OPEN_MODE(flags)                                \
  mode_t mode = 0;                                      \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {              \
    va_list list;                                       \
    va_start(list, flags);                              \
    mode = va_arg(list, mode_t);                        \
    va_end(list);                                       \
  }

int open(const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return open_any(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return open_any(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return open_any(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return open_any(folder, path, flags, mode);
}
int creat(const char *path, mode_t mode) {
  return open_any(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

// A new number of a file is as good as the old one.
int dup2(int file, int other) {
  int result = REAL(dup2)(file, other);
  if (result >= 0 && result < most_files) tracked[result] = is_tracked(file);
  return result;
}

// MARK: write: w

static long long place_after(int file, long long given, ssize_t count) {
  return given >= 0 ? given : lseek(file, 0, SEEK_CUR) - count;
}

static ssize_t written(int file, const struct iovec *parts, int count, long long place) {
  return place < 0 ? syscall(SYS_writev, file, parts, count)
                   : REAL(pwritev)(file, parts, count, place);
}

static ssize_t write_any(int file, const struct iovec *parts, int count, long long place) {
  look();
  if (!is_tracked(file)) return written(file, parts, count, place);
  size_t length = 0;
  for (int part = 0; part < count; part++) length += parts[part].iov_len;
  char *bytes = malloc(length + 1);
  size_t filled = 0;
  for (int part = 0; part < count; part++) {
    memcpy(bytes + filled, parts[part].iov_base, parts[part].iov_len);
    filled += parts[part].iov_len;
  }
  pthread_mutex_lock(&lock);
  int fate_ = fate('w');
  ssize_t result = -1;
  if (fate_ == before) die();
  if (fate_ > 0) {
    errno = fate_;
  } else {
    size_t some = (fate_ == half || fate_ == shortened) && length > 1 ? length / 2 : length;
    struct iovec whole = {bytes, some};
    result = written(file, &whole, 1, place);
    int error = errno;
    if (result >= 0)
      note('w', inode(file), place_after(file, place, result), result, bytes, result, "", 0);
    else
      note('x', 0, error, 0, "", 0, "", 0);
    errno = error;
    if (fate_ == half || fate_ == after) die();
  }
  int error = errno;
  pthread_mutex_unlock(&lock);
  free(bytes);
  errno = error;
  return result;
}

ssize_t write(int file, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  return write_any(file, &part, 1, -1);
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t place) {
  struct iovec part = {(void *)bytes, length};
  return write_any(file, &part, 1, place);
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off_t place) {
  return pwrite(file, bytes, length, place);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  return write_any(file, parts, count, -1);
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t place) {
  return write_any(file, parts, count, place);
}

// MARK: read: i

ssize_t read(int file, void *bytes, size_t length) {
  look();
  if (!is_tracked(file)) return syscall(SYS_read, file, bytes, length);
  CALL('i', ssize_t, -1, syscall(SYS_read, file, bytes, length),
       note('i', inode(file), result, 0, "", 0, "", 0))
}
ssize_t pread(int file, void *bytes, size_t length, off_t place) {
  if (!is_tracked(file)) return syscall(SYS_pread64, file, bytes, length, place);
  CALL('i', ssize_t, -1, syscall(SYS_pread64, file, bytes, length, place),
       note('i', inode(file), result, 0, "", 0, "", 0))
}
ssize_t pread64(int file, void *bytes, size_t length, off_t place) {
  return pread(file, bytes, length, place);
}

// MARK: fsync and fdatasync: s

static int synced(int file, long call) { return swallows_sync ? 0 : (int)syscall(call, file); }

int fsync(int file) {
  if (!is_tracked(file)) return synced(file, SYS_fsync);
  CALL('s', int, -1, synced(file, SYS_fsync), note('s', inode(file), 0, 0, "", 0, "", 0))
}
int fdatasync(int file) {
  if (!is_tracked(file)) return synced(file, SYS_fdatasync);
  CALL('s', int, -1, synced(file, SYS_fdatasync), note('s', inode(file), 1, 0, "", 0, "", 0))
}

// MARK: ftruncate: t

int ftruncate(int file, off_t length) {
  if (!is_tracked(file)) return syscall(SYS_ftruncate, file, length);
  CALL('t', int, -1, syscall(SYS_ftruncate, file, length),
       note('t', inode(file), length, 0, "", 0, "", 0))
}
int ftruncate64(int file, off_t length) { return ftruncate(file, length); }

// MARK: close: c

int close(int file) {
  if (!is_tracked(file)) return syscall(SYS_close, file);
  unsigned long number_of = inode(file);
  pthread_mutex_lock(&lock);
  int fate_ = fate('c');
  if (fate_ == before || fate_ == half) die();
  tracked[file] = 0;
  // The file is closed whatever is said (close(2)).
  int result = syscall(SYS_close, file);
  note('c', number_of, 0, 0, "", 0, "", 0);
  if (fate_ == after) die();
  pthread_mutex_unlock(&lock);
  if (fate_ > 0) {
    errno = fate_;
    return -1;
  }
  return result;
}

// MARK: names: n for rename, u for unlink, l for links, m for folders, h for modes

int rename(const char *path, const char *other) {
  char from[PATH_MAX], to[PATH_MAX];
  if (!is_under(path, from) || !is_under(other, to)) return REAL(rename)(path, other);
  CALL('n', int, -1, REAL(rename)(path, other),
       note('n', 0, 0, 0, from, strlen(from), to, strlen(to)))
}
int unlink(const char *path) {
  char full[PATH_MAX];
  if (!is_under(path, full)) return REAL(unlink)(path);
  CALL('u', int, -1, REAL(unlink)(path), note('u', 0, 0, 0, full, strlen(full), "", 0))
}
int link(const char *path, const char *other) {
  char from[PATH_MAX], to[PATH_MAX];
  if (!is_under(path, from) || !is_under(other, to)) return REAL(link)(path, other);
  CALL('l', int, -1, REAL(link)(path, other),
       note('l', 0, 0, 0, from, strlen(from), to, strlen(to)))
}
int mkdir(const char *path, mode_t mode) {
  char full[PATH_MAX];
  if (!is_under(path, full)) return REAL(mkdir)(path, mode);
  CALL('m', int, -1, REAL(mkdir)(path, mode), note('m', 0, 0, 0, full, strlen(full), "", 0))
}
int fchmod(int file, mode_t mode) {
  if (!is_tracked(file)) return syscall(SYS_fchmod, file, mode);
  CALL('h', int, -1, syscall(SYS_fchmod, file, mode), note('h', inode(file), mode, 0, "", 0, "", 0))
}

// MARK: sockets

ssize_t recv(int file, void *bytes, size_t length, int flags) {
  received++;
  look();
  if (by_lines && length > 0 && !(flags & MSG_PEEK)) {
    ssize_t there = syscall(SYS_recvfrom, file, bytes, length, flags | MSG_PEEK, NULL, NULL);
    if (there <= 0) return there;
    char *end = memchr(bytes, '\n', there);
    if (end) length = end - (char *)bytes + 1;
  }
  return syscall(SYS_recvfrom, file, bytes, length, flags, NULL, NULL);
}

// MARK: the wall clock

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = REAL(clock_gettime)(clock, time);
  if (result != 0 || received < leap_at) return result;
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec += wall_leap;
  if (clock == CLOCK_BOOTTIME) time->tv_sec += boot_leap;
  return 0;
}
int gettimeofday(struct timeval *time, void *zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}
