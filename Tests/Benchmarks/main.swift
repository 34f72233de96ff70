import Geodesy
import Glibc
import Tracking

// A program for valgrind to count: the engine alone, on a closed drive of 1,000 fixes through ten
// fences, driven round after round. Usage: engine-bench ROUNDS [FENCES]

guard CommandLine.arguments.count >= 2, let rounds = Int(CommandLine.arguments[1]) else {
  print("usage: engine-bench ROUNDS [FENCES]")
  exit(64)
}
let fenceCount = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 10 : 10
let drive = Drive(fences: fenceCount)
var tracker = Tracker(rules: try drive.rules())
var events: [Event] = []
events.reserveCapacity(64)
var said = 0
for round in 0..<rounds {
  for fix in drive.round(round) {
    tracker.ingest(fix, into: &events)
    said += events.count
    events.removeAll(keepingCapacity: true)
  }
}
print("\(rounds * Drive.length) fixes, \(said) events, \(tracker.counts.dropped) dropped")
