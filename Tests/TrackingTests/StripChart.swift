import TestSupport
import Geodesy
import Testing
import Tracking

/// Runs a line of track through one fence and draws what is said, in the same columns.
///
/// The fence is a circle of 100 m. Every column is a tick of 10 s; the letters of the track say
/// what the device reports at that tick, on a line through the fence from west to east:
/// `O` 10 km before it, `o` 50 m before its edge, `i` 50 m inside, `c` at its centre, `j` inside
/// on the far side, `p` 50 m beyond it, `P` 10 km beyond it, `T` 500 km away, `.` nothing,
/// `!` nothing, but time is said to have passed.
///
/// The letters of the answer stand where an event was decided: `s` state inside, `n` state
/// outside, `u` state unknown, `e` enter, `x` exit, `d` dwell, `-` nothing; several in one tick stand in parentheses.
struct StripChart {
  static let center = Coordinate(latitude: 52.5, longitude: 13.4)
  static let start = Ground.start
  static let tick = 10.0

  var notifications: Fence.Notifications = [.enter, .exit, .dwell]
  var dwell: Double?
  var initial: Fence.Initial = .state
  var patience: Double?
  /// Geometry, unless a test is about evidence: it says what the fixes say.
  var decision = Decision.naive

  func rules() throws -> Rules {
    var fence = Fence(id: "depot", area: .circle(Circle(center: Self.center, radius: 100)))
    fence.notifications = notifications
    fence.dwell = dwell.map { Int64($0 * 1e9) }
    fence.initial = initial
    fence.decision = decision
    var rules = Rules(fences: try FenceSet([fence]))
    if let patience { rules.dwellPatience = patience }
    return rules
  }

  static func time(_ ticks: Double) -> Timestamp { start.advanced(bySeconds: ticks * tick) }

  static func fix(_ metresEast: Double, ticks: Double, accuracy: Double? = nil) -> Fix {
    let place = center.destination(
      bearing: metresEast < 0 ? 270 : 90, distance: abs(metresEast))
    var fix = Fix(time: time(ticks), coordinate: place)
    fix.horizontalAccuracy = accuracy
    return fix
  }

  static let places: [Character: Double] = [
    "O": -10_000, "o": -150, "i": -50, "c": 0, "j": 50, "p": 150, "P": 10_000, "T": 500_000,
  ]

  /// The events of a track, by the tick at which they came out.
  func events(_ track: String) throws -> [[Event]] {
    var tracker = Tracker(rules: try rules())
    return track.enumerated().map { tick, letter in
      var events: [Event] = []
      if letter == "!" {
        tracker.advance(to: Self.time(Double(tick)), into: &events)
      } else if let place = Self.places[letter] {
        tracker.ingest(Self.fix(place, ticks: Double(tick)), into: &events)
      }
      return events
    }
  }

  /// The strip of events that belongs to a strip of track.
  func draw(_ track: String) throws -> String {
    try events(track).map { events in
      let letters = events.map(\.letter).joined()
      return letters.isEmpty ? "-" : letters.count == 1 ? letters : "(\(letters))"
    }.joined()
  }
}

extension Event {
  var letter: String {
    switch statement {
    case .enter: "e"
    case .exit: "x"
    case .dwell: "d"
    case .state(_, .inside, _): "s"
    case .state(_, .outside, _): "n"
    case .state: "u"
    case .visit(let visit): visit.departure == nil ? "v" : "w"
    case .significantChange: "c"
    }
  }

  var crossing: Crossing? {
    switch statement {
    case .enter(_, let crossing), .exit(_, let crossing, _): crossing
    case .dwell, .state, .visit, .significantChange: nil
    }
  }
}
