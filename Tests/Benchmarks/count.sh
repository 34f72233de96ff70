#!/bin/bash
# count.sh: what a fix costs the engine, counted by valgrind, which is the same on a busy machine.
# Fails when a fix allocates memory.
set -euo pipefail
cd "$(dirname "$0")/../.."
bench=.build/release/engine-bench
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT

instructions() { # ROUNDS -> instructions of the whole run
  valgrind --tool=callgrind --callgrind-out-file="$profile" "$bench" "$1" 2>&1 |
    awk '/Collected/ {print $4}'
}
allocations() { # ROUNDS -> allocations of the whole run
  valgrind --tool=memcheck --leak-check=no "$bench" "$1" 2>&1 |
    awk '/total heap usage/ {gsub(",", "", $5); print $5}'
}

# The difference of 40 and 20 rounds of 1,000 fixes: start-up falls out.
few=$(instructions 20) many=$(instructions 40)
echo "engine, 10 fences, 10 crossings in 1,000 fixes:"
echo "  instructions a fix: $(((many - few) / 20000))"
few=$(allocations 20) many=$(allocations 40)
echo "  allocations in 20,000 fixes: $((many - few))"
[ "$many" -eq "$few" ] || { echo "count.sh: a fix allocates memory, expected none" >&2; exit 1; }
