#include "driver.h"

// Declared in no header that comes with the compiler (libFuzzer's documentation, "Using libFuzzer as
// a library").
extern int LLVMFuzzerRunDriver(int *argc, char ***argv,
                               int (*UserCb)(const uint8_t *Data, size_t Size));

int FuzzDrive(int count, char **arguments, int (*check)(const uint8_t *bytes, size_t count)) {
  return LLVMFuzzerRunDriver(&count, &arguments, check);
}
