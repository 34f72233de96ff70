internal import Text

/// A few lines at the bottom of a terminal that show the current status, redrawn in place.
struct LiveView {
  /// The content.
  struct Scene {
    /// One for each device.
    var states: [LiveSnapshot]
    /// Lines about sources of many devices.
    var notes: [String] = []
    /// The last events, newest last, as lines.
    var events: [String]
    /// The zone of the times.
    var zone = DisplayZone.utc
  }

  /// The number of lines on the terminal.
  private var drawn = 0
  private let isColoured: Bool

  /// The number of nearest fences shown of one source; of each of several, one is shown.
  private static let shownFences = 3

  init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// The bytes that erase the lines.
  ///
  /// The cursor goes to the first column: behind the view the terminal may have echoed a key.
  mutating func erase() -> [UInt8] {
    defer { drawn = 0 }
    return drawn == 0 ? [] : Array("\r\u{1B}[\(drawn)A\u{1B}[J".utf8)
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
      let all = LiveViewLines(state: state, zone: scene.zone, shownFences: fences).all
      lines += all.enumerated().map { ($1, $0 == 0 ? state.status : nil) }
    }
    lines += scene.notes.map { ($0, nil) }
    lines += scene.events.map { ($0, nil) }
    return lines.map { (text: $0.withoutControls, status: $1) }
  }
}
