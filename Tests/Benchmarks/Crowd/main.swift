import CoreLocation

// A crowd of managers in one process: checks that every listener receives every fix, in order, while
// others come and go; measures speed and memory.
// Usage: crowd-bench shared|isolated|calls [FIXES [MANAGERS [SEED]]]

let arguments = CommandLine.arguments.dropFirst()
guard let mode = arguments.first, ["shared", "isolated", "calls"].contains(mode),
  let plan = Plan(arguments.dropFirst())
else {
  print("usage: crowd-bench shared|isolated|calls [FIXES [MANAGERS [SEED]]]")
  print("expected 10 fixes or more, \(Plan.threads + 1) managers or more")
  exit(64)
}
exit(try Outcome.measure(mode, plan) ? 0 : 1)
