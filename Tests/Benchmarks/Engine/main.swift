import Glibc
import Tracking

// The engine alone, in worlds of several kinds, played lap after lap: for a clock, or for valgrind
// to count. Prints the number of fixes of a lap and what came of them.
// Usage: engine-bench WORLD SIZE LAPS

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
guard let world = arguments.first.flatMap(World.init), numbers.count == 2, numbers[0] >= 0,
  numbers[1] > 0
else {
  let names = World.allCases.map(\.rawValue).joined(separator: "|")
  print("usage: engine-bench \(names) SIZE LAPS")
  exit(64)
}
let course = try world.course(numbers[0])
let outcome = course.play(laps: numbers[1])
print(
  """
  {"fixes":\(outcome.fixes),"events":\(outcome.events),"dropped":\(outcome.dropped),\
  "lap":\(outcome.fixes / numbers[1])}
  """)
