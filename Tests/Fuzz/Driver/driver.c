#include "driver.h"

#include <stdatomic.h>
#include <time.h>

// Declared in no header that comes with the compiler (libFuzzer's documentation, "Using libFuzzer as
// a library").
extern int LLVMFuzzerRunDriver(int *argc, char ***argv,
                               int (*UserCb)(const uint8_t *Data, size_t Size));

// Of the address sanitizer (sanitizer/allocator_interface.h), when it is linked in.
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(
    void (*taken)(const volatile void *, size_t), void (*freed)(const volatile void *));
__attribute__((weak)) size_t __sanitizer_get_allocated_size(const volatile void *memory);

// Bytes in use, and the most of them since the counting began.
static atomic_long in_use, most;

static void count_taken(const volatile void *memory, size_t count) {
  (void)memory;
  long now = atomic_fetch_add(&in_use, (long)count) + (long)count;
  if (now > atomic_load(&most)) atomic_store(&most, now);
}

static void count_freed(const volatile void *memory) {
  if (memory) atomic_fetch_sub(&in_use, (long)__sanitizer_get_allocated_size(memory));
}

int FuzzDrive(int count, char **arguments, int (*check)(const uint8_t *bytes, size_t count)) {
  if (__sanitizer_install_malloc_and_free_hooks)
    __sanitizer_install_malloc_and_free_hooks(count_taken, count_freed);
  return LLVMFuzzerRunDriver(&count, &arguments, check);
}

long FuzzBeginCount(void) {
  long now = atomic_load(&in_use);
  atomic_store(&most, now);
  return now;
}

long FuzzMost(void) { return atomic_load(&most); }

double FuzzProcessorTime(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}
