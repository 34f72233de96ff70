internal import Geodesy
internal import Receivers
internal import Text
internal import Tracking

/// A few lines at the bottom of a terminal that show the current status, redrawn in place.
struct LiveView {
  /// The content.
  struct Scene {
    /// One for each source, at least one.
    var states: [LiveSnapshot]
    /// The last events, newest last, as lines.
    var events: [String]
  }

  /// The number of lines on the terminal.
  private var drawn = 0
  private let isColoured: Bool

  /// The most fences whose distances are computed for a drawing.
  private static let mostFences = 5_000
  /// The number of nearest fences shown.
  private static let shownFences = 3

  init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// The bytes that erase the lines.
  mutating func erase() -> [UInt8] {
    defer { drawn = 0 }
    return drawn == 0 ? [] : Array("\u{1B}[\(drawn)A\u{1B}[J".utf8)
  }

  /// The bytes that replace the last scene, on a terminal of `width` columns and `height` rows.
  ///
  /// The last column stays free because some terminals wrap there, the last row because the cursor
  /// is there.
  mutating func draw(_ scene: Scene, width: Int, height: Int) -> [UInt8] {
    var bytes = erase()
    let lines = Self.rows(scene).prefix(max(height - 1, 0)).map { line, status in
      (String(DisplayWidth.prefix(line, columns: max(width - 1, 1))), status)
    }
    for (line, status) in lines {
      let status = isColoured ? status : nil
      bytes += Array((status.map { Self.coloured(line, $0) } ?? line).utf8) + [UInt8(ascii: "\n")]
    }
    drawn = lines.count
    return bytes
  }

  private static func coloured(_ line: String, _ status: SourceStatus) -> String {
    let colour =
      switch status {
      case .fix: 32
      case .connecting, .connected, .noFix, .noTime, .ignoring, .stale: 33
      case .lost, .stopped: 31
      }
    return "\u{1B}[\(colour)m\(line)\u{1B}[0m"
  }

  /// The lines of a scene, without colours, each with the status that it shows.
  static func rows(_ scene: Scene) -> [(text: String, status: SourceStatus?)] {
    let fences = scene.states.count == 1 ? shownFences : 1
    var lines: [(String, SourceStatus?)] = []
    for state in scene.states {
      lines.append((status(state), state.status))
      if let fix = state.fix { lines.append((position(fix), nil)) }
      lines += distances(state, atMost: fences).map { ($0, nil) }
    }
    lines += scene.events.map { ($0, nil) }
    return lines.map { (text: $0.withoutControls, status: $1) }
  }

  private static func status(_ state: LiveSnapshot) -> String {
    var parts = ["\(state.device)  \(state.status.sentence)"]
    if let fix = state.fix {
      if case .fix = state.status, let mode = fix.mode.readable { parts[0] += " \(mode)" }
      if let time = fix.time { parts.append(Readable.time(time)) }
    }
    if let used = state.receiver.satellitesUsed {
      let seen = state.receiver.satellitesVisible.map { " of \($0)" } ?? ""
      parts.append("\(used)\(seen) satellites")
    }
    parts.append(state.source)
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

  private static func distances(_ state: LiveSnapshot, atMost count: Int) -> [String] {
    let fences = state.fences
    guard let place = state.fix?.coordinate, !fences.isEmpty else { return [] }
    guard fences.count <= mostFences else {
      return ["  \(fences.count) fences: distances are shown for up to \(mostFences)"]
    }
    let near = fences.map { ($0.id, $0.area.signedDistance(to: place)) }
      .sorted { abs($0.1) < abs($1.1) }.prefix(count)
    return near.map { id, distance in
      "  \(id): \(Readable.length(abs(distance))) \(distance <= 0 ? "inside" : "outside") its edge"
    }
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
