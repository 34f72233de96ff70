import Geodesy
import Services
import Testing
import Tracking

@Suite("standard updates")
struct StandardUpdatesTests {
  @Test("2.4 3.1 every fix is delivered, and none before a start or after a stop")
  func plain() {
    var stand = Stand()
    let manager = stand.manager()
    #expect(stand.fix(0, east: 0).isEmpty)
    stand.core.startUpdating(manager)
    _ = stand.core.takeNotices()
    #expect(stand.fix(1, east: 10).easts == [[10]])
    #expect(stand.fix(2, east: 20).easts == [[20]])
    stand.core.stopUpdating(manager)
    #expect(stand.fix(3, east: 30).isEmpty)
  }

  @Test("3.1 3.2 a start gives the last known location first, a second start nothing")
  func cachedFirst() {
    var stand = Stand()
    let manager = stand.manager()
    stand.fix(0, east: 7)
    stand.core.startUpdating(manager)
    #expect(stand.core.takeNotices().easts == [[7]])
    stand.core.startUpdating(manager)
    #expect(stand.core.takeNotices().isEmpty)
    stand.core.stopUpdating(manager)
    stand.core.startUpdating(manager)
    #expect(stand.core.takeNotices().easts == [[7]])
  }

  @Test("3.4 the filter counts from the location delivered last")
  func distanceFilter() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core[settings: manager].distanceFilter = 50
    stand.core.startUpdating(manager)
    let told = (0..<20).flatMap { stand.fix(Double($0), east: Double($0) * 12).easts }
    #expect(told == [[0], [60], [120], [180]])
  }

  @Test("3.4 a clearly better fix passes the filter: 500 m, then 100 m")
  func betterPasses() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core[settings: manager].distanceFilter = 500
    stand.core.startUpdating(manager)
    #expect(stand.fix(0, east: 0, accuracy: 500).easts == [[0]])
    #expect(stand.fix(1, east: 3, accuracy: 100).easts == [[3]])
    #expect(stand.fix(2, east: 6, accuracy: 90).isEmpty)
  }

  @Test("2.4 a fix that had to be confirmed comes with the one that confirms it, oldest first")
  func confirmed() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startUpdating(manager)
    stand.fix(0, east: 0)
    #expect(stand.fix(1, east: 50_000).isEmpty)
    #expect(stand.fix(2, east: 50_010).easts == [[50_000, 50_010]])
  }

  @Test("implausible fixes are not delivered")
  func defects() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startUpdating(manager)
    stand.fix(10, east: 0)
    #expect(stand.fix(10, east: 0).isEmpty)
    #expect(stand.fix(5, east: 1).isEmpty)
    var broken = Stand.fix(11, east: 0)
    broken.coordinate.latitude = .nan
    stand.core.ingest(broken, from: .simulation)
    var timeless = Stand.fix(12, east: 0)
    timeless.time = nil
    stand.core.ingest(timeless, from: .simulation)
    #expect(stand.core.takeNotices().isEmpty)
    #expect(stand.fix(13, east: 2).easts == [[2]])
  }

  @Test("3.8 a device at rest pauses a manager until it starts again")
  func pause() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startUpdating(manager)
    var words: [String] = []
    for second in stride(from: 0.0, through: 1_200, by: 10) {
      words += stand.fix(second, east: second.truncatingRemainder(dividingBy: 30)).words
    }
    // The last location is told, then the pause, after 900 s.
    #expect(words.count == 92 && words.last == "paused")
    #expect(!stand.core.needsSource)
    #expect(stand.fix(1_300, east: 5_000).isEmpty)
    stand.core.startUpdating(manager)
    #expect(stand.core.takeNotices().words == ["resumed", "standard 1"])
    #expect(stand.fix(1_310, east: 5_010).words == ["standard 1"])
  }

  @Test(
    "3.7 3.8 a run round a track is rest for a car, not for a runner", arguments: [true, false])
  func track(isCar: Bool) {
    var stand = Stand()
    let manager = stand.manager()
    stand.core[settings: manager].activity = isCar ? .automotiveNavigation : .fitness
    stand.core.startUpdating(manager)
    var words: Set<String> = []
    for second in 0..<1_500 {
      // 150 m to and fro, as a lap looks from its start.
      let lap = Double(second * 3 % 300)
      words.formUnion(stand.fix(Double(second), east: lap < 150 ? lap : 300 - lap).words)
    }
    #expect(words.contains("paused") == isCar)
  }

  @Test("3.8 a manager without automatic pauses is not paused")
  func noPause() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core[settings: manager].pausesAutomatically = false
    stand.core.startUpdating(manager)
    let words = (0..<3_000).flatMap { stand.fix(Double($0), east: 0).words }
    #expect(words == Array(repeating: "standard 1", count: 3_000))
  }

  @Test("stopping withdraws locations that were not delivered yet")
  func undelivered() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startUpdating(manager)
    stand.core.ingest(Stand.fix(0, east: 0), from: .simulation)
    stand.core.stopUpdating(manager)
    #expect(stand.core.takeNotices().isEmpty)
  }
}
