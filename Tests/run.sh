#!/bin/bash
# Runs every test, or those of the options of `swift test`. Whatever failed is printed once more at the
# end, where it is not lost among thousands of lines. All of it stays in .build/tests.log.
set -uo pipefail
log=.build/tests.log

# Every wait of a test has a limit; this one ends what hangs all the same, in time for CI to report it.
# Without a width all tests begin at once, and one that waits for a moment goes on when all that need a
# thread have ended.
timeout --foreground --kill-after=60 "${TEST_LIMIT:-50m}" \
  swift test --skip-build --disable-xctest --experimental-maximum-parallelization-width 6 "$@" 2>&1 |
  tee "$log"
status=$?
[ $status != 124 ] || echo "error: the tests did not end in ${TEST_LIMIT:-50m}" | tee -a "$log"
if [ $status != 0 ]; then
  printf '\n=== what failed\n'
  # An issue has its line and the lines of its comment; a crash has no mark of its own.
  grep -aE -A4 '^✘ .*recorded an issue|[Ff]atal error|signal code|^error:' "$log" ||
    tail -n 40 "$log"
  grep -aE '^✘ (Test|Suite) .*failed after' "$log"
fi
exit $status
