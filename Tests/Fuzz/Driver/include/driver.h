// libFuzzer's own main as a function, for a program that has one already.
#ifndef FUZZ_DRIVER_H
#define FUZZ_DRIVER_H

#include <stddef.h>
#include <stdint.h>

// Runs libFuzzer with its options; `check` is called with each input and returns 0.
int FuzzDrive(int count, char *_Nullable *_Nonnull arguments,
              int (*_Nonnull check)(const uint8_t *_Nullable bytes, size_t count));

// Begins to count memory: the bytes in use now. Without the address sanitizer all counts are 0.
long FuzzBeginCount(void);

// The most bytes that were in use since then.
long FuzzMost(void);

// The processor time of the process, seconds.
double FuzzProcessorTime(void);

#endif
