import EventLog
import Geodesy
import Session

@testable import Receivers
@testable import Tracking
@testable import Watching

/// Makes live runs by a recipe, with any names and numbers.
struct SnapshotRecipe {
  private var reader: ByteReader

  init(_ bytes: [UInt8]) { reader = ByteReader(bytes) }

  var isAtEnd: Bool { reader.isAtEnd }

  private static let odd: [Double] = [
    0, 1, -1, 0.5, 359.96, 360, 1e9, 1e18, 9.3e18, 1e300, -1e300, .nan, .infinity, -.infinity,
    .leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0, 59.999_999, 3_599.6, 86_400, 999.96,
  ]
  private static let oddCounts = [0, 1, 2, 59, 1_000_000, .max]
  private static let oddTexts = [
    "", "\u{1B}[2J", "\u{202E}\u{2066}", "\"\\\u{0}\u{7F}", "漢字かな", "👩‍👩‍👧‍👦", "e\u{301}\u{FE0F}",
    "\u{2028}\u{85}", "\r\n\t", "한\u{1112}\u{1161}", "\u{FFFF}\u{FEFF}", "ﷺ\u{AD}\u{200B}",
  ]

  /// A name or a message: made of the next bytes, or one that has given others trouble.
  mutating func text() -> String {
    let length = reader.below(40)
    guard length < 28 else { return Self.oddTexts[length - 28] }
    return String(decoding: (0..<length).map { _ in reader.byte() }, as: UTF8.self)
  }

  mutating func texts(atMost count: Int) -> [String] {
    (0..<reader.below(count + 1)).map { _ in text() }
  }

  /// A size of a terminal.
  mutating func size() -> Int { reader.one(of: [80, 24, 1, 0, 2, 3, 40, 300]) }

  mutating func flag() -> Bool { reader.below(2) == 1 }

  private mutating func number() -> Double {
    let choice = reader.below(32)
    if choice < Self.odd.count { return Self.odd[choice] }
    return choice == 31 ? Double(bitPattern: reader.word()) : reader.signed16()
  }

  private mutating func perhaps() -> Double? { flag() ? number() : nil }

  private mutating func count() -> Int { reader.one(of: Self.oddCounts) }

  /// The years that readers take, 1678 to 2261, to the millisecond.
  private static let times: ClosedRange<Int64> =
    -9_214_560_000_000_000_000...9_214_646_399_999_000_000

  private mutating func time() -> Timestamp {
    let nanoseconds =
      switch reader.below(6) {
      case 0: Self.times.lowerBound
      case 1: Self.times.upperBound
      case 2: Int64(bitPattern: reader.word())
      default: 1_741_593_600_000_000_000 + Int64(reader.byte()) << 32
      }
    return Timestamp(
      nanoseconds: min(max(nanoseconds, Self.times.lowerBound), Self.times.upperBound))
  }

  /// On Earth: the engine uses no other position.
  private mutating func coordinate() -> Coordinate {
    switch reader.below(5) {
    case 0: Coordinate(latitude: 90, longitude: 180)
    case 1: Coordinate(latitude: -90, longitude: -180)
    case 2: Coordinate(latitude: -0.000_000_04, longitude: 179.999_999_96)
    default:
      Coordinate(
        latitude: reader.signed16() / 32_768 * 90, longitude: reader.signed16() / 32_768 * 180)
    }
  }

  private mutating func fix() -> Fix {
    var fix = Fix(time: flag() ? time() : nil, coordinate: coordinate())
    (fix.horizontalAccuracy, fix.altitude) = (perhaps(), perhaps())
    (fix.speed, fix.course) = (perhaps(), perhaps())
    fix.mode = reader.one(of: Fix.Mode.allCases)
    return fix
  }

  private mutating func status() -> SourceStatus {
    switch reader.below(9) {
    case 0: .connecting
    case 1: .connected
    case 2: .noFix
    case 3: .noTime
    case 4: .ignoring(text())
    case 5: .stale
    case 6: .lost(text())
    case 7: .stopped
    default: .fix
    }
  }

  /// One device.
  mutating func snapshot() -> LiveSnapshot {
    var receiver = ReceiverState(mode: reader.below(4))
    (receiver.satellitesUsed, receiver.satellitesVisible) = (flag() ? count() : nil, nil)
    if flag() { receiver.satellitesVisible = count() }
    var totals = SessionTotals()
    (totals.gate.received, totals.gate.accepted) = (count(), count())
    var snapshot = LiveSnapshot(
      device: text(), source: text(), status: status(), receiver: receiver, fences: fences(),
      presence: [], totals: totals)
    if flag() { (snapshot.fix, snapshot.age) = (fix(), perhaps()) }
    snapshot.ignored = count()
    snapshot.presence = snapshot.fences.prefix(2).map { Presence(fence: $0.id, since: time()) }
    if flag() { snapshot.stay = StandingStay(arrival: time(), coordinate: coordinate()) }
    snapshot.anchors = (0..<reader.below(3)).map { _ in anchor() }
    return snapshot
  }

  /// What a run has beside its devices.
  mutating func run() -> LiveRunState {
    LiveRunState(
      queues: (0..<reader.below(3)).map { _ in queue() },
      inlets: texts(atMost: 2).map { InletReporter($0) }, forgotten: count())
  }

  private mutating func fences() -> FenceSet {
    let fences = (0..<reader.below(4)).map { _ in
      var fence = Fence(
        id: text(),
        area: .circle(
          Circle(center: coordinate(), radius: reader.one(of: [100, 0.5, 20_000, 400_000]))))
      fence.dwell = reader.one(of: [nil, 60_000_000_000, 1, .max])
      fence.notifications = Fence.Notifications(rawValue: reader.byte() & 7)
      return fence
    }
    // Ids that are the same, or none, are refused where fences are read.
    return (try? FenceSet(fences)) ?? FenceSet()
  }

  private mutating func anchor() -> AnchorDrift {
    var anchor = AnchorDrift(
      fence: text(), state: reader.one(of: [.setting, .set, .up]), radius: number())
    if flag() { (anchor.center, anchor.distance) = (coordinate(), perhaps()) }
    (anchor.bearing, anchor.reach, anchor.rate) = (perhaps(), number(), perhaps())
    return anchor
  }

  private mutating func queue() -> DeliveryQueue {
    DeliveryQueue(
      name: text(), waiting: count(), oldest: flag() ? text() : nil, delivered: count(),
      dead: count(), error: flag() ? text() : nil, nextAttempt: perhaps())
  }
}
