package import Geodesy
internal import Glibc
internal import Session
internal import Tracking

/// An anchor and the device at one moment, for the display and the status file.
package struct AnchorDrift: Sendable, Hashable {
  /// What has become of the anchor.
  package enum State: String, Sendable, Hashable {
    /// The fixes are about to place it.
    case setting
    case set
    case up
  }

  /// The id of its fence.
  package var fence: String
  package var state: State
  /// Metres.
  package var radius: Double
  /// Nil unless it is set.
  package var center: Coordinate?
  /// Of the device from the centre, metres, and in which direction, degrees clockwise from true north.
  package var distance: Double?
  package var bearing: Double?
  /// The greatest distance since it was set, metres.
  package var reach = 0.0
  /// How fast the distance has grown lately, metres a second; nil before that is known.
  package var rate: Double?

  /// How long until the device is at the edge if it goes on so, seconds; nil when it does not come nearer.
  package var timeToEdge: Double? {
    guard let distance, let rate, rate >= Self.leastRate, distance < radius else { return nil }
    return (radius - distance) / rate
  }

  /// Metres a second: the errors of a receiver at rest look no faster over minutes.
  private static let leastRate = 0.02
}

/// Watches how the distance from each anchor changes: the slope of a line through the last minutes.
struct DriftMonitor: Sendable {
  private struct Track: Sendable {
    var center: Coordinate
    var samples: [(time: Timestamp, distance: Double)] = []
  }

  private var tracks: [String: Track] = [:]

  /// How long a distance counts, and how long the least line is, seconds.
  private static let window = 300.0
  private static let shortest = 60.0
  /// The time between two samples, seconds.
  private static let interval = 5.0

  /// Takes a fix that the engine used.
  mutating func note(_ fix: borrowing Fix, _ watch: AnchorWatch) {
    guard let time = fix.time else { return }
    for anchor in watch.anchors {
      let id = anchor.plan.fence.id
      guard let center = anchor.center else {
        tracks[id] = nil
        continue
      }
      var track = tracks.removeValue(forKey: id) ?? Track(center: center)
      if track.center != center { track = Track(center: center) }
      if let last = track.samples.last?.time, time < last { track.samples.removeAll() }
      let distance = center.distance(to: fix.coordinate)
      if track.samples.last.map({ time.seconds(since: $0.time) >= Self.interval }) ?? true {
        track.samples.append((time, distance))
      }
      track.samples.removeAll { time.seconds(since: $0.time) > Self.window }
      tracks[id] = track
    }
  }

  /// The anchors with the device at a place; nil before its first fix.
  func drifts(_ watch: AnchorWatch, of place: Coordinate?) -> [AnchorDrift] {
    watch.anchors.map { anchor in
      let id = anchor.plan.fence.id
      var drift = AnchorDrift(
        fence: id, state: anchor.center != nil ? .set : anchor.isUp ? .up : .setting,
        radius: anchor.radius)
      guard let center = anchor.center, let place else { return drift }
      drift.center = center
      drift.distance = center.distance(to: place)
      drift.bearing = center.bearing(to: place)
      drift.reach = anchor.reach
      drift.rate = tracks[id].flatMap { Self.slope($0.samples) }
      return drift
    }
  }

  /// Least squares.
  private static func slope(_ samples: [(time: Timestamp, distance: Double)]) -> Double? {
    guard let first = samples.first?.time, let last = samples.last?.time,
      last.seconds(since: first) >= shortest
    else { return nil }
    let count = Double(samples.count)
    let times = samples.map { $0.time.seconds(since: first) }
    let (middle, mean) = (
      times.reduce(0, +) / count, samples.reduce(0) { $0 + $1.distance } / count
    )
    var (above, below) = (0.0, 0.0)
    for (time, sample) in zip(times, samples) {
      above += (time - middle) * (sample.distance - mean)
      below += (time - middle) * (time - middle)
    }
    return above / below
  }
}
