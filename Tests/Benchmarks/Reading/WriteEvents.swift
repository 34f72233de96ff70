import EventLog
import Geodesy
import Glibc
import Tracking

/// Writes events of a device that goes in and out of a fence, and prints what it takes.
func writeEvents(_ count: Int) throws {
  let events = try crossings()
  var writer = EventWriter(format: .jsonl, fences: ["yard"])
  var buffer: [UInt8] = []
  buffer.reserveCapacity(1 << 17)
  var bytes = 0
  let begin = processorSeconds()
  for number in 0..<count {
    writer.append(
      LogEntry(device: "van", .event(events[number % events.count])), to: &buffer)
    if buffer.count > 1 << 16 {
      bytes += buffer.count
      buffer.removeAll(keepingCapacity: true)
    }
  }
  let seconds = processorSeconds() - begin
  print(#"{"events": \#(count), "bytes": \#(bytes + buffer.count), "seconds": \#(seconds)}"#)
}

/// Entries and exits, as many of the ones as of the others.
private func crossings() throws -> [Event] {
  let center = Coordinate(latitude: 52.5, longitude: 13.4)
  var fence = Fence(id: "yard", area: .circle(Circle(center: center, radius: 100)))
  fence.decision = .naive
  fence.initial = .none
  var tracker = Tracker(rules: Rules(fences: try FenceSet([fence])))
  var (events, said): ([Event], [Event]) = ([], [])
  for second in 0..<400 {
    let along = Double(abs(second % 100 - 50) - 25) * 13
    let time = Timestamp(nanoseconds: 1_741_593_600_000_000_000 + Int64(second) * 1_000_000_000)
    var fix = Fix(time: time, coordinate: center.destination(bearing: 30, distance: along))
    fix.horizontalAccuracy = 5
    fix.speed = 13
    fix.course = 30
    tracker.ingest(fix, into: &said)
    events += said
    said.removeAll()
  }
  return events
}

private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
