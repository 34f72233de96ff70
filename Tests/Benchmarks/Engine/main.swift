import Geodesy
import Glibc
import Tracking

// A program for valgrind to count: the engine alone, on a closed drive of 1,000 fixes through
// fences, driven round after round. Usage: engine-bench ROUNDS [FENCES]

/// In a function, as a global variable is watched for overlapping accesses at run time.
func drive(rounds: Int, fences: Int) throws {
  let drive = Drive(fences: fences)
  var tracker = Tracker(rules: try drive.rules())
  var events: [Event] = []
  var said = 0
  for round in 0..<rounds {
    for fix in drive.round(round) {
      tracker.ingest(fix, into: &events)
      said += events.count
      events.removeAll(keepingCapacity: true)
    }
  }
  print("\(rounds * Drive.length) fixes, \(said) events, \(tracker.counts.dropped) dropped")
}

let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
guard let rounds = numbers.first, rounds > 0, numbers.allSatisfy({ $0 > 0 }) else {
  print("usage: engine-bench ROUNDS [FENCES]")
  exit(64)
}
try drive(rounds: rounds, fences: numbers.count > 1 ? numbers[1] : 10)
