internal import Text

/// A few lines at the bottom of a terminal that show the current status, redrawn in place.
struct LiveView {
  /// The content.
  struct Scene {
    var state: LiveSnapshot
    /// The last events, newest last, as lines.
    var events: [String]
    /// The zone of the times.
    var zone = DisplayZone.utc
  }

  /// The number of lines on the terminal.
  private var drawn = 0
  private let isColoured: Bool

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
    let lines = Self.lines(scene).prefix(max(height - 1, 0)).map {
      String(DisplayWidth.prefix($0, columns: max(width - 1, 1)))
    }
    for (index, line) in lines.enumerated() {
      let isStatus = index == 0 && isColoured
      bytes += Array(((isStatus ? Self.coloured(line, scene.state.status) : line) + "\n").utf8)
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

  /// The lines of a scene, without colours.
  static func lines(_ scene: Scene) -> [String] {
    (LiveViewLines(state: scene.state, zone: scene.zone).all + scene.events)
      .map { $0.withoutControls }
  }
}
