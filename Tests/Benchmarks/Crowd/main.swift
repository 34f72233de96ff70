import CoreLocation

// A crowd of managers in one process: whether every one that listens is told of every fix, in order,
// while others come and go, how fast, and in how much memory.
// Usage: crowd-bench shared|isolated [FIXES [MANAGERS [SEED]]]

let arguments = CommandLine.arguments.dropFirst()
guard let mode = arguments.first, ["shared", "isolated"].contains(mode),
  let plan = Plan(arguments.dropFirst())
else {
  print("usage: crowd-bench shared|isolated [FIXES [MANAGERS [SEED]]]")
  print("expected 10 fixes or more, \(Plan.threads + 1) managers or more")
  exit(64)
}
exit(try Report.measure(mode, plan) ? 0 : 1)
