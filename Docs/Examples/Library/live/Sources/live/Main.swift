import WaymarkKit

/// Two devices report; one falls silent in a fence, and its dwell comes without a fix.
@main
struct Main {
  static func main() async throws {
    let yard = Fence(
      id: "yard", center: Coordinate(latitude: 48, longitude: 8), radius: 100,
      dwell: .milliseconds(500))
    var rules = Rules(fences: try FenceSet([yard]))
    // So soon is a silent device taken to be still there, in this example alone.
    rules.dwellPatience = 0.1
    let (records, reporting) = AsyncStream.makeStream(of: EventRecord.self)
    let engine = LiveEngine(rules: rules) { reporting.yield($0) }
    let (fixes, receiving) = AsyncStream.makeStream(of: (device: String, fix: Fix).self)
    let service = TrackingService(engine: engine, fixes: fixes)
    let start = Timestamp(nanoseconds: 1_777_703_460_000_000_000)
    for device in ["van", "bus"] {
      for tick in 0..<3 {
        var fix = Fix(
          time: start + .milliseconds(100 * tick),
          coordinate: Coordinate(latitude: device == "van" ? 48 : 48.1, longitude: 8))
        fix.horizontalAccuracy = 5
        receiving.yield((device, fix))
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await service.run() }
      for await record in records {
        print(record.device, record.event.statement)
        if case .dwell = record.event.statement { break }
      }
      // The source has not ended, as that of a server does not.
      group.cancelAll()
    }
  }
}
