import Session

/// A line on the terminal that says how far a long run is: rate and time left.
///
/// Nothing is drawn when standard error is not a terminal, or in the first second.
final class ProgressMeter {
  private let isDrawn = OutputFile.standardError.isTerminal
  private let start = ContinuousClock.now
  private var lastDrawn = ContinuousClock.now
  private var hasLine = false

  /// Draws the line anew, at most five times a second.
  func show(_ progress: ReplayProgress) {
    guard isDrawn else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1), now - lastDrawn > .milliseconds(200) else { return }
    lastDrawn = now
    hasLine = true
    draw("\r\u{1B}[K" + Self.line(progress, elapsed: (now - start).inSeconds))
  }

  /// Takes the line away.
  func finish() {
    guard hasLine else { return }
    hasLine = false
    draw("\r\u{1B}[K")
  }

  /// The line for a run that has taken `elapsed` seconds.
  static func line(_ progress: ReplayProgress, elapsed: Double) -> String {
    let rate = Double(progress.fixes) / elapsed
    var line = "\(progress.fixes) fixes, \(Int(rate)) a second"
    if let total = progress.bytesTotal, progress.bytesRead > 0 {
      let share = min(1, Double(progress.bytesRead) / Double(max(total, 1)))
      let left = elapsed * (1 - share) / share
      line += ", \(Int(share * 100)) %, \(Int(left.rounded(.up))) s left"
    }
    return line
  }

  private func draw(_ text: String) {
    var bytes = Array(text.utf8)
    // When the terminal is gone there is nobody left to show anything to.
    try? OutputFile.standardError.write(&bytes)
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
