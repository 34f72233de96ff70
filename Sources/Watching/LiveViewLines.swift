internal import Geodesy
internal import Glibc
internal import Receivers
internal import Text
internal import Traces
internal import Tracking

/// The lines of the live view, without colours.
struct LiveViewLines {
  let state: LiveSnapshot
  /// The zone of the times.
  let zone: DisplayZone
  /// The number of nearest fences shown.
  let shownFences: Int

  /// The most fences whose distances are computed for a drawing.
  private static let mostFences = 5_000
  /// Metres a second: slower, a device has no course, and comes to no edge.
  private static let leastSpeed = 0.3

  /// The status, the position, the visit, the anchors and the nearest fences.
  var all: [String] {
    var lines = [status]
    if let fix = state.fix { lines.append(Self.position(fix)) }
    if let visit { lines.append(visit) }
    lines += state.anchors.map(Self.anchor)
    return lines + fences
  }

  /// The receiver's time now, by the age of its last fix.
  private var now: Timestamp? {
    state.fix?.time.map { $0.advanced(bySeconds: state.age ?? 0) }
  }

  private var status: String {
    let title = state.title.map { " \($0)" } ?? ""
    var parts = ["\(state.device)\(title)  \(state.status.sentence)"]
    if let fix = state.fix {
      let kind = state.solution == .plain ? fix.mode.readable : state.solution.readable
      if case .fix = state.status, let kind { parts[0] += " \(kind)" }
      if let time = fix.time {
        let age = state.age.map { ", \(Readable.duration($0.rounded(.down))) ago" } ?? ""
        parts.append(Readable.time(time, in: zone) + age)
      }
    }
    if let used = state.receiver.satellitesUsed {
      let seen = state.receiver.satellitesVisible.map { " of \($0)" } ?? ""
      parts.append("\(used)\(seen) satellites")
    }
    parts.append(state.peer ?? state.source)
    return parts.joined(separator: "  ")
  }

  private static func position(_ fix: Fix) -> String {
    let latitude = Readable.number(fix.coordinate.latitude, decimals: 6)
    let longitude = Readable.number(fix.coordinate.longitude, decimals: 6)
    var parts = ["  \(latitude),\(longitude)"]
    if let accuracy = fix.horizontalAccuracy { parts[0] += " ± \(Readable.length(accuracy))" }
    if let altitude = fix.altitude { parts.append("\(Readable.length(altitude)) above the sea") }
    if let speed = fix.speed {
      let kilometres = Readable.number(speed * 3.6, decimals: 1)
      parts.append("\(Readable.number(speed, decimals: 1)) m/s (\(kilometres) km/h)")
    }
    if let course = fix.course { parts.append("\(Readable.number(course, decimals: 0))°") }
    return parts.joined(separator: "  ")
  }

  private var visit: String? {
    guard let stay = state.stay else { return nil }
    let since = "  visit since \(Readable.time(stay.arrival, in: zone))"
    guard let now else { return since }
    return since + ", \(Self.whole(now.seconds(since: stay.arrival)))"
  }

  private static func anchor(_ drift: AnchorDrift) -> String {
    guard let distance = drift.distance, let bearing = drift.bearing else {
      let word =
        switch drift.state {
        case .setting: "is being set"
        case .set: "is set"
        case .up: "is up"
        }
      return "  \(drift.fence) \(word), radius \(Readable.length(drift.radius))"
    }
    var parts = [
      "  \(drift.fence): anchor \(Readable.length(distance)) away",
      "the boat at \(Readable.number(bearing, decimals: 0))° from it",
      "swing \(Readable.length(drift.reach)) of \(Readable.length(drift.radius))",
    ]
    if let rate = drift.rate, let time = drift.timeToEdge {
      let speed = Readable.number(rate, decimals: 2)
      parts.append("edge in \(whole(time)) at \(speed) m/s")
    }
    return parts.joined(separator: ", ")
  }

  // MARK: Fences

  private var fences: [String] {
    let fences = state.fences
    guard let fix = state.fix, !fences.isEmpty else { return [] }
    guard fences.count <= Self.mostFences else {
      return ["  \(fences.count) fences: distances are shown for up to \(Self.mostFences)"]
    }
    let near = fences.map { ($0, $0.area.signedDistance(to: fix.coordinate)) }
      .sorted { abs($0.1) < abs($1.1) }.prefix(shownFences)
    return near.map { line($0, at: $1, fix) }
  }

  private func line(_ fence: Fence, at distance: Double, _ fix: Fix) -> String {
    let side = distance <= 0 ? "inside" : "outside"
    var parts = ["  \(fence.id): \(Readable.length(abs(distance))) \(side) its edge"]
    if let bearing = Self.bearing(to: fence.area, from: fix.coordinate, distance) {
      parts[0] += " at \(Readable.number(bearing, decimals: 0))°"
      if let time = Self.time(to: abs(distance), bearing, fix) {
        parts.append("there in \(Self.whole(time))")
      }
    }
    if let now, let since = state.presence.first(where: { $0.fence == fence.id })?.since {
      let inside = now.seconds(since: since)
      parts.append("inside for \(Self.whole(inside))")
      if fence.notifications.contains(.dwell), let dwell = fence.dwell {
        let left = Double(dwell) / 1e9 - inside
        if left > 0 { parts.append("dwell in \(Self.whole(left))") }
      }
    }
    return parts.joined(separator: ", ")
  }

  /// The direction of the nearest point of an edge; nil where several are as near.
  private static func bearing(
    to area: Area, from place: Coordinate, _ distance: Double
  ) -> Double? {
    // The distance falls fastest straight towards the nearest point.
    func slope(_ bearing: Double) -> Double {
      let step = 0.5
      let there = area.signedDistance(to: place.destination(bearing: bearing, distance: step))
      let back = area.signedDistance(to: place.destination(bearing: bearing + 180, distance: step))
      return (there - back) / (2 * step)
    }
    let (north, east) = (slope(0), slope(90))
    guard hypot(north, east) > 0.9 else { return nil }
    let outwards = atan2(east, north) * 180 / .pi
    let bearing = distance <= 0 ? outwards : outwards + 180
    return bearing < 0 ? bearing + 360 : bearing >= 360 ? bearing - 360 : bearing
  }

  /// How long a device needs to an edge if it keeps its speed and course, seconds.
  private static func time(to distance: Double, _ bearing: Double, _ fix: Fix) -> Double? {
    guard let speed = fix.speed, let course = fix.course, speed >= leastSpeed else { return nil }
    let approach = speed * cos((course - bearing) * .pi / 180)
    return approach >= leastSpeed ? distance / approach : nil
  }

  private static func whole(_ seconds: Double) -> String {
    Readable.duration(max(seconds, 0).rounded())
  }
}

extension Fix.Mode {
  /// As receivers display it; nil when there is no fix.
  fileprivate var readable: String? {
    switch self {
    case .unknown, .none: nil
    case .twoD: "2D"
    case .threeD: "3D"
    case .differential: "DGPS"
    case .precise: "PPS"
    }
  }
}
