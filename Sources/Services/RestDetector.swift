internal import Geodesy
internal import Tracking

/// Detects that the device rests, for automatic pausing.
struct RestDetector: Sendable {
  private var anchor: Coordinate?
  private var reach = 0.0
  /// Since when it has been near one position; nil before the first fix.
  private(set) var since: Timestamp?

  /// Whether it has been near one position for this many seconds.
  func isAtRest(for seconds: Double, at time: Timestamp) -> Bool {
    since.map { time.seconds(since: $0) >= seconds } ?? false
  }

  /// Notes a fix that the engine used.
  mutating func note(_ fix: Fix, at time: Timestamp, activity: Activity) {
    if let anchor, anchor.distance(to: fix.coordinate) <= reach + (fix.horizontalAccuracy ?? 0) {
      return
    }
    anchor = fix.coordinate
    reach = activity.restRadius
    since = time
  }
}

extension Activity {
  /// How far from one position the device may move and still be at rest, metres.
  ///
  /// Our own choice: Apple publishes no value, only that a run round a track is rest for
  /// a car and none for a runner: a track of 400 m reaches 180 m from its start.
  var restRadius: Double {
    switch self {
    case .automotiveNavigation, .airborne: 200
    case .other, .otherNavigation: 100
    case .fitness: 50
    }
  }

  /// How long it must rest before updates are paused, seconds.
  ///
  /// Our own choice, as Apple publishes none: longer than a red light, a ferry's berth or a rest on
  /// a walk ("conservative", WWDC 2016-716).
  var restTime: Double {
    switch self {
    case .other, .automotiveNavigation, .fitness: 900
    case .otherNavigation, .airborne: 1_800
    }
  }
}
