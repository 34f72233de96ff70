import Services
import Testing
import Traces
import Tracking

@Suite("heading updates")
struct HeadingUpdatesTests {
  private func heading(_ magnetic: Double, at second: Double = 0) -> Heading {
    Heading(
      time: Stand.time(second), magnetic: magnetic,
      geographic: (magnetic + 3).truncatingRemainder(dividingBy: 360))
  }

  private func stand(filter: Double = 1) -> (Stand, ClientID) {
    var stand = Stand()
    let manager = stand.manager()
    stand.core[settings: manager].headingFilter = filter
    stand.core.startHeadings(manager)
    return (stand, manager)
  }

  @Test(
    "16.1 the filter counts from the heading reported last, over north too",
    arguments: [
      (1, [100, 100.5, 101, 101.5, 102], [100, 101, 102]),
      (2, [359, 0.5, 1, 359.5, 358, 357], [359, 1, 358]),
      (1, [0.1, 1.1, 2.1, 1.2], [0.1, 1.1, 2.1]),
      (10, [355, 5, 354.9, 175], [355, 5, 354.9, 175]),
      (180, [0, 179, 180, 1], [0, 180]), (0, [7, 7.001], [7, 7.001]),
      (-1, [7, 7.001, 7], [7, 7.001, 7]), (.nan, [7, 7.001], [7, 7.001]),
    ] as [(Double, [Double], [Double])])
  func filter(filter: Double, angles: [Double], expected: [Double]) {
    var (stand, _) = stand(filter: filter)
    for (second, angle) in angles.enumerated() {
      stand.core.take(heading(angle, at: Double(second)))
    }
    #expect(stand.core.takeNotices().angles == expected)
  }

  @Test("16.1 a heading that knows more or less than the last one passes the filter")
  func knowledge() {
    var (stand, _) = stand(filter: 90)
    let alarm = Heading(time: Stand.time(2), magnetic: 11, geographic: 14, isReliable: false)
    let headings = [
      Heading(time: Stand.time(0), geographic: 13), heading(10, at: 1), alarm, heading(12, at: 3),
      heading(13, at: 4),
    ]
    for heading in headings { stand.core.take(heading) }
    #expect(stand.core.takeNotices().headings == Array(headings.dropLast()))
  }

  @Test("16.1 headings come from the start to the stop, and a second start changes nothing")
  func startAndStop() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.take(heading(1))
    #expect(stand.core.takeNotices().isEmpty && stand.core.heading(of: manager) == nil)
    stand.core.startHeadings(manager)
    stand.core.startHeadings(manager)
    stand.core.take(heading(2, at: 1))
    #expect(stand.core.takeNotices().angles == [2])
    stand.core.take(heading(50, at: 2))
    stand.core.stopHeadings(manager)
    stand.core.stopHeadings(manager)
    stand.core.take(heading(60, at: 3))
    #expect(stand.core.takeNotices().isEmpty, "what is not taken yet is dropped")
    #expect(stand.core.heading(of: manager)?.magnetic == 50)
    stand.core.remove(manager)
    #expect(stand.core.heading(of: manager) == nil)
  }

  @Test("16.1 a start gives the current heading at once, if the source runs and it is fresh")
  func currentFirst() {
    var (stand, first) = stand()
    stand.fix(10, east: 0)
    stand.core.take(heading(40, at: 10))
    _ = stand.core.takeNotices()
    let second = stand.manager()
    stand.core.startHeadings(second)
    #expect(stand.core.takeNotices().angles == [40])
    // Six seconds later it may point anywhere.
    stand.fix(16, east: 1)
    let third = stand.manager()
    stand.core.startHeadings(third)
    #expect(stand.core.takeNotices().angles == [])
    // After the source was stopped, too.
    for id in [first, second, third] { stand.core.stopHeadings(id) }
    stand.core.take(heading(41, at: 16))
    #expect(!stand.core.needsSource)
    stand.core.startHeadings(first)
    #expect(stand.core.needsSource && stand.core.takeNotices().angles == [])
  }

  @Test("16.1 each manager has its own filter and orientation, in the order of the managers")
  func several() {
    var (stand, _) = stand(filter: 10)
    let second = stand.manager()
    stand.core[settings: second].headingOffset = 270
    stand.core.startHeadings(second)
    for angle in [80.0, 85, 90] { stand.core.take(heading(angle, at: angle)) }
    let notices = stand.core.takeNotices()
    #expect(notices.angles == [80, 350, 355, 90, 0])
    #expect(notices.headings.last?.geographic == 3)
  }

  @Test("16.2 without permission a heading has no true north, and nothing else needs the source")
  func withoutPermission() {
    for status in [Authorization.Status.notDetermined, .denied, .restricted] {
      var stand = Stand(Authorization(status))
      let manager = stand.manager()
      #expect(!stand.core.needsSource)
      stand.core.startHeadings(manager)
      #expect(stand.core.needsSource)
      stand.core.take(heading(10))
      stand.core.take(Heading(time: Stand.time(1), geographic: 90))
      #expect(stand.core.takeNotices().headings == [Heading(time: Stand.time(0), magnetic: 10)])
      #expect(stand.fix(2, east: 0).isEmpty)
      stand.core.change(Authorization(.whenInUse))
      _ = stand.core.takeNotices()
      stand.core.take(heading(10, at: 3))
      #expect(stand.core.takeNotices().headings == [heading(10, at: 3)])
    }
  }

  @Test("16.2 a program that also waits for locations waits for the decision with them")
  func undecided() {
    var stand = Stand(Authorization(.notDetermined))
    let manager = stand.manager()
    stand.core.startHeadings(manager)
    stand.core.startUpdating(manager)
    #expect(!stand.core.needsSource)
    stand.core.change(Authorization(.denied))
    #expect(stand.core.needsSource)
    stand.core.isServiceOff = true
    #expect(!stand.core.needsSource)
  }

  @Test("16.2 in the background headings come as locations do, and the last one afterwards")
  func background() {
    var (stand, manager) = stand(filter: -1)
    stand.core.isInBackground = true
    stand.core.take(heading(10))
    stand.core.take(heading(20, at: 1))
    #expect(stand.core.takeNotices().isEmpty)
    stand.core.isInBackground = false
    #expect(stand.core.takeNotices().angles == [20])
    stand.core[settings: manager].allowsBackground = true
    stand.core.isInBackground = true
    stand.core.take(heading(30, at: 2))
    stand.core.isInBackground = false
    #expect(stand.core.takeNotices().angles == [30])
  }

  @Test("16.3 a source may have a compass until thirty fixes came without a heading")
  func availability() {
    var (stand, _) = stand()
    for second in 0..<29 { stand.fix(Double(second), east: Double(second)) }
    #expect(stand.core.mayHaveCompass && !stand.core.lacksHeadings)
    stand.fix(29, east: 29)
    #expect(!stand.core.mayHaveCompass && stand.core.lacksHeadings)
    stand.core.take(heading(1, at: 29))
    for second in 30..<90 { stand.fix(Double(second), east: Double(second)) }
    #expect(stand.core.mayHaveCompass && !stand.core.lacksHeadings)
    stand.core.beginTrace()
    for second in 90..<120 { stand.fix(Double(second), east: Double(second)) }
    #expect(!stand.core.mayHaveCompass)
  }
}

extension [AddressedNotice] {
  var headings: [Heading] {
    compactMap { if case .heading(let heading) = $0.notice { heading } else { nil } }
  }

  /// The angles from magnetic north.
  var angles: [Double] { headings.compactMap(\.magnetic) }
}
