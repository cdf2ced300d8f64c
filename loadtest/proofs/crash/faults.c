// Disk faults, for tests: preloaded into a process (LD_PRELOAD), it makes writes and syncs below one folder fail, tear, wait, or
// get lost, as a control file requests at the moment (written by faults.ts). Other files are not affected.
//
//   CLARET_FAULTS_DIR       the folder of the affected files
//   CLARET_FAULTS_CONTROL   the control file; none, or an empty one: no faults. One fault per line:
//
//   write fail <errno>      nothing is written, the call fails
//   write torn <errno>      the first half is written, the call fails
//   write hold              writes to a *.log file stay in this process until they are synced: kill -9 then loses what
//                           a power failure would lose
//   sync fail <errno>       fsync and fdatasync fail
//   sync wait <ms>          they take this long
//   sync lie                they do nothing and report success
//   die <calls> <permille>  the process is killed at this call (write, sync or rename) from now on; this share of the held data
//                           and of that call's data is on the disk: a power failure in the middle of a write
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// Macros of stdio.h in optimized builds.
#undef fwrite
#undef fwrite_unlocked

enum { kControlBytesMax = 1024, kPathBytesMax = 4096, kFilesMax = 4096 };

struct Faults {
  int write_error;
  int write_torn;
  int write_hold;
  int sync_error;
  long sync_wait_ms;
  int sync_lie;
  int die_calls;
  int die_permille;
};

struct Held {
  char* bytes;
  size_t length;
  size_t room;
};

static struct Held held[kFilesMax];
static pthread_mutex_t held_mutex = PTHREAD_MUTEX_INITIALIZER;

// Calls since the control file requested a kill.
static int calls;
static pthread_mutex_t calls_mutex = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_write)(int, const void*, size_t);
static ssize_t (*real_pwrite64)(int, const void*, size_t, off64_t);
static ssize_t (*real_writev)(int, const struct iovec*, int);
static size_t (*real_fwrite)(const void*, size_t, size_t, FILE*);
static size_t (*real_fwrite_unlocked)(const void*, size_t, size_t, FILE*);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_close)(int);
static int (*real_fclose)(FILE*);
static int (*real_rename)(const char*, const char*);

__attribute__((constructor)) static void begin(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite64 = dlsym(RTLD_NEXT, "pwrite64");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_fwrite = dlsym(RTLD_NEXT, "fwrite");
  real_fwrite_unlocked = dlsym(RTLD_NEXT, "fwrite_unlocked");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_fclose = dlsym(RTLD_NEXT, "fclose");
  real_close = dlsym(RTLD_NEXT, "close");
  real_rename = dlsym(RTLD_NEXT, "rename");
}

static struct Faults read_control(void) {
  struct Faults faults = {0};
  const char* path = getenv("CLARET_FAULTS_CONTROL");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return faults;
  char text[kControlBytesMax + 1];
  ssize_t length = read(file, text, kControlBytesMax);
  real_close(file);
  text[length < 0 ? 0 : length] = '\0';
  char* rest = NULL;
  for (char* line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    int number = 0;
    sscanf(line, "die %d %d", &faults.die_calls, &faults.die_permille);
    if (sscanf(line, "write fail %d", &number) == 1) faults.write_error = number;
    if (sscanf(line, "write torn %d", &number) == 1) faults.write_torn = number;
    if (strcmp(line, "write hold") == 0) faults.write_hold = 1;
    if (sscanf(line, "sync fail %d", &number) == 1) faults.sync_error = number;
    if (sscanf(line, "sync wait %d", &number) == 1) faults.sync_wait_ms = number;
    if (strcmp(line, "sync lie") == 0) faults.sync_lie = 1;
  }
  return faults;
}

// Whether the file is below the folder; its path is stored in `path`.
static int is_meant(int fd, char path[kPathBytesMax]) {
  const char* dir = getenv("CLARET_FAULTS_DIR");
  if (dir == NULL) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, kPathBytesMax - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  size_t prefix = strlen(dir);
  return strncmp(path, dir, prefix) == 0 && path[prefix] == '/';
}

static int is_log(const char* path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".log") == 0;
}

static int hold(int fd, const void* bytes, size_t length) {
  if (fd >= kFilesMax) return 0;
  pthread_mutex_lock(&held_mutex);
  struct Held* file = &held[fd];
  if (file->length + length > file->room) {
    file->room = 2 * (file->length + length);
    file->bytes = realloc(file->bytes, file->room);
  }
  memcpy(file->bytes + file->length, bytes, length);
  file->length += length;
  pthread_mutex_unlock(&held_mutex);
  return 1;
}

static int release(int fd) {
  int result = 0;
  if (fd < 0 || fd >= kFilesMax) return 0;
  pthread_mutex_lock(&held_mutex);
  struct Held* file = &held[fd];
  for (size_t at = 0; at < file->length && result == 0;) {
    ssize_t written = real_write(fd, file->bytes + at, file->length - at);
    if (written < 0) result = -1;
    else at += (size_t)written;
  }
  file->length = 0;
  pthread_mutex_unlock(&held_mutex);
  return result;
}

// Whether this is the call at which the process dies.
static int is_last(struct Faults faults) {
  pthread_mutex_lock(&calls_mutex);
  calls = faults.die_calls > 0 ? calls + 1 : 0;
  const int is_it = faults.die_calls > 0 && calls >= faults.die_calls;
  if (!is_it) pthread_mutex_unlock(&calls_mutex);  // otherwise the process ends with the lock held
  return is_it;
}

static _Noreturn void die(int permille) {
  pthread_mutex_lock(&held_mutex);
  for (int fd = 0; fd < kFilesMax; ++fd) {
    if (held[fd].length > 0) (void)!real_write(fd, held[fd].bytes, held[fd].length * (size_t)permille / 1000);
  }
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static void die_here(struct Faults faults) {
  if (is_last(faults)) die(faults.die_permille);
}

ssize_t write(int fd, const void* bytes, size_t length) {
  char path[kPathBytesMax];
  if (!is_meant(fd, path)) return real_write(fd, bytes, length);
  struct Faults faults = read_control();
  if (is_last(faults)) {
    if (!faults.write_hold || !is_log(path) || !hold(fd, bytes, length)) (void)!real_write(fd, bytes, length * (size_t)faults.die_permille / 1000);
    die(faults.die_permille);
  }
  int error = faults.write_error != 0 ? faults.write_error : faults.write_torn;
  if (error != 0) {
    if (faults.write_torn != 0 && length > 1) (void)!real_write(fd, bytes, length / 2);
    errno = error;
    return -1;
  }
  if (faults.write_hold && is_log(path) && hold(fd, bytes, length)) return (ssize_t)length;
  if (release(fd) != 0) return -1;  // held data is written first
  return real_write(fd, bytes, length);
}

ssize_t pwrite64(int fd, const void* bytes, size_t length, off64_t offset) {
  char path[kPathBytesMax];
  if (!is_meant(fd, path)) return real_pwrite64(fd, bytes, length, offset);
  struct Faults faults = read_control();
  die_here(faults);
  if (faults.write_error == 0 && faults.write_torn == 0) return real_pwrite64(fd, bytes, length, offset);
  errno = faults.write_error != 0 ? faults.write_error : faults.write_torn;
  return -1;
}

ssize_t pwrite(int fd, const void* bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }

ssize_t writev(int fd, const struct iovec* parts, int count) {
  char path[kPathBytesMax];
  if (count == 0 || !is_meant(fd, path)) return real_writev(fd, parts, count);
  return write(fd, parts[0].iov_base, parts[0].iov_len);  // a short write: the caller continues
}

// LevelDB writes through stdio, which calls its own `write`: affected files bypass stdio's buffer.
static size_t write_file(size_t (*real)(const void*, size_t, size_t, FILE*), const void* bytes, size_t size, size_t count, FILE* file) {
  char path[kPathBytesMax];
  const int fd = fileno(file);
  const size_t length = size * count;
  if (length == 0 || !is_meant(fd, path)) return real(bytes, size, count, file);
  for (size_t at = 0; at < length;) {
    ssize_t written = write(fd, (const char*)bytes + at, length - at);
    if (written < 0) return at / size;
    at += (size_t)written;
  }
  return count;
}

size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) { return write_file(real_fwrite, bytes, size, count, file); }
size_t fwrite_unlocked(const void* bytes, size_t size, size_t count, FILE* file) {
  return write_file(real_fwrite_unlocked, bytes, size, count, file);
}

static int sync_with(int (*real)(int), int fd) {
  char path[kPathBytesMax];
  if (!is_meant(fd, path)) return real(fd);
  struct Faults faults = read_control();
  die_here(faults);
  if (faults.sync_wait_ms > 0) {
    struct timespec wait = {faults.sync_wait_ms / 1000, faults.sync_wait_ms % 1000 * 1000000};
    nanosleep(&wait, NULL);
  }
  if (faults.sync_error != 0) {
    errno = faults.sync_error;
    return -1;
  }
  if (faults.sync_lie) return 0;
  return release(fd) != 0 ? -1 : real(fd);
}

int rename(const char* from, const char* to) {
  const char* dir = getenv("CLARET_FAULTS_DIR");
  if (dir != NULL && strncmp(from, dir, strlen(dir)) == 0) die_here(read_control());
  return real_rename(from, to);
}

int fsync(int fd) { return sync_with(real_fsync, fd); }
int fdatasync(int fd) { return sync_with(real_fdatasync, fd); }

int fclose(FILE* file) {
  release(fileno(file));
  return real_fclose(file);
}

int close(int fd) {
  release(fd);
  return real_close(fd);
}
