import Playing
import System

/// A line on the terminal with the progress of a long run: rate and time left.
///
/// Nothing is drawn when standard error is not a terminal, or in the first second.
final class ProgressMeter {
  private let isDrawn = OutputFile.standardError.isTerminal
  private let start = ContinuousClock.now
  private var lastDrawn = ContinuousClock.now
  private var hasLine = false

  /// Redraws a line, at most five times a second; `line` makes it from the seconds so far.
  func show(_ line: (Double) -> String) {
    guard isDrawn else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1), now - lastDrawn > .milliseconds(200) else { return }
    lastDrawn = now
    hasLine = true
    draw("\r\u{1B}[K" + line((now - start) / .seconds(1)))
  }

  /// Takes the line away.
  func finish() {
    guard hasLine else { return }
    hasLine = false
    draw("\r\u{1B}[K")
  }

  /// The line for so many parts of a known number.
  static func line(_ done: Int, of total: Int, _ noun: String, elapsed: Double) -> String {
    let line = "\(done) of \(total) \(noun)"
    guard done > 0 else { return line }
    let left = elapsed * Double(total - done) / Double(done)
    let rate = Double((Double(done) / elapsed * 10).rounded()) / 10
    return "\(line), \(rate) a second, \(Int(left.rounded(.up))) s left"
  }

  private func draw(_ text: String) {
    // Errors are ignored: without a terminal there is nothing to show.
    try? OutputFile.standardError.append(Array(text.utf8))
  }
}

extension ReplayProgress {
  /// The line for a run that has taken `elapsed` seconds.
  func line(elapsed: Double) -> String {
    let rate = Double(fixes) / elapsed
    var line = "\(fixes) fixes, \(Int(rate)) a second"
    if let total = bytesTotal, bytesRead > 0 {
      let share = min(1, Double(bytesRead) / Double(max(total, 1)))
      let left = elapsed * (1 - share) / share
      line += ", \(Int(share * 100)) %, \(Int(left.rounded(.up))) s left"
    }
    return line
  }
}
