import Session

/// A line on the terminal that counts the parts of a long run and says how long the rest takes.
///
/// Nothing is drawn when standard error is not a terminal, or in the first second.
final class CountMeter {
  private let total: Int
  private let noun: String
  private let isDrawn = OutputFile.standardError.isTerminal
  private let start = ContinuousClock.now
  private var hasLine = false

  init(of total: Int, _ noun: String) {
    self.total = total
    self.noun = noun
  }

  /// Says that so many parts are done.
  func show(_ done: Int) {
    let elapsed = ContinuousClock.now - start
    guard isDrawn, elapsed > .seconds(1) else { return }
    hasLine = true
    draw("\r\u{1B}[K" + Self.line(done, of: total, noun, elapsed: elapsed))
  }

  /// Takes the line away.
  func finish() {
    guard hasLine else { return }
    hasLine = false
    draw("\r\u{1B}[K")
  }

  /// The line for a run that has taken `elapsed`.
  static func line(_ done: Int, of total: Int, _ noun: String, elapsed: Duration) -> String {
    let line = "\(done) of \(total) \(noun)"
    guard done > 0 else { return line }
    let rate = Double(done) / max(elapsed / .seconds(1), 1e-9)
    let tenths = Double((rate * 10).rounded()) / 10
    let left = Int((Double(total - done) / rate).rounded(.up))
    return "\(line), \(tenths) a second, \(left) s left"
  }

  private func draw(_ text: String) {
    // When the terminal is gone there is nobody left to show anything to.
    try? OutputFile.standardError.append(Array(text.utf8))
  }
}
