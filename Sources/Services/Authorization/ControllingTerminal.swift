internal import Glibc
internal import System

/// The terminal from which this process was started.
package final class ControllingTerminal: TerminalPrompter.Line {
  private let input: Int32
  private let output: Int32
  private let isOwner: Bool
  /// Longer lines are not answers, bytes.
  private static let longestLine = 1_000

  /// Opens the terminal; nil without a terminal, or when this process runs in the background, where a
  /// read would stop it.
  package init?(path: String = "/dev/tty") {
    let terminal = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    if terminal >= 0 {
      let foreground = tcgetpgrp(terminal)
      guard foreground < 0 || foreground == getpgrp() else {
        close(terminal)
        return nil
      }
      (input, output, isOwner) = (terminal, terminal, true)
    } else if isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 {
      (input, output, isOwner) = (STDIN_FILENO, STDERR_FILENO, false)
    } else {
      return nil
    }
  }

  deinit { if isOwner { close(input) } }

  package func write(_ text: String) {
    // If the terminal is gone, the read that follows fails too.
    try? WholeFile.writeAll(Array(text.utf8)[...], to: output)
  }

  package func read() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < Self.longestLine {
      let count = Glibc.read(input, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }
}
