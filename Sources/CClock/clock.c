#include "CClock.h"

#include <sys/timex.h>

int waymark_clock_is_unsynchronised(void) {
  struct timex state = {.modes = 0};
  return adjtimex(&state) == TIME_ERROR;
}
