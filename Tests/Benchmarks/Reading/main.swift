import Formats
import Glibc
import Geodesy
import Traces
import Tracking

// Reads a trace to its end and does with each fix what the peers in Peers/ do: adds up what it
// says, so that all can be compared. Usage: read-bench FILE; read-bench --events COUNT writes
// events instead.

func readAll(_ path: String) throws {
  var reader = try TraceReader(path: path)
  var batch = TraceBatch()
  var (points, issues) = (0, 0)
  var (degrees, metres, seconds) = (0.0, 0.0, 0 as Int64)
  while try reader.read(into: &batch) {
    for point in batch.points {
      degrees += point.fix.coordinate.latitude + point.fix.coordinate.longitude
      metres += point.fix.altitude ?? 0
      seconds &+= (point.fix.time?.nanoseconds ?? 0) / 1_000_000_000
    }
    points += batch.points.count
    for (_, mark) in batch.marks {
      if case .issue = mark { issues += 1 }
    }
  }
  // As printf rounds.
  let (whole, height) = (
    degrees.rounded(.toNearestOrEven), metres.rounded(.toNearestOrEven)
  )
  print("\(points) points, \(issues) issues, sums \(Int(whole)) \(Int(height)) \(seconds)")
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("--events", 2): try writeEvents(Int(arguments[1]) ?? 0)
case (.some(let path), 1): try readAll(path)
default:
  print("usage: read-bench FILE | --events COUNT")
  exit(64)
}
