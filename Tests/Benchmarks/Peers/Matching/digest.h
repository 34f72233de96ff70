// A number for everything that was decided, to hold two programs to each other; match-bench has the
// same in Swift.
#pragma once

#include "matching.h"

class Digest {
  size_t hits = 0, entries = 0, exits = 0;
  uint64_t value = 0xcbf29ce484222325;

  void mix(uint64_t fix, uint64_t fence, uint64_t what) {
    value = (value ^ (fix * 4'294'967'296 + fence * 4 + what)) * 0x100000001b3;
    value ^= value >> 29;
  }

 public:
  // The fences that a device is in now and those that it was in before, ascending.
  void add(size_t fix, const std::vector<uint32_t> &now, const std::vector<uint32_t> &before) {
    hits += now.size();
    for (uint32_t fence : now) mix(fix, fence, 0);
    for (size_t i = 0, j = 0; i < now.size() || j < before.size();) {
      if (i < now.size() && j < before.size() && now[i] == before[j]) {
        i++, j++;
      } else if (j == before.size() || (i < now.size() && now[i] < before[j])) {
        entries++, mix(fix, now[i++], 1);
      } else {
        exits++, mix(fix, before[j++], 2);
      }
    }
  }

  void print(size_t fixes, size_t sample, size_t differing) const {
    printf("{\"fixes\": %zu, \"hits\": %zu, \"entries\": %zu, \"exits\": %zu, "
           "\"digest\": \"%016lx\", \"sample\": %zu, \"differing\": %zu}\n",
           fixes, hits, entries, exits, value, sample, differing);
  }
};
