import Glibc
import System
import Text

/// Messages to the user: everything that is not an event goes to standard error.
///
/// Names come from files, from gpsd and from servers: control characters and marks that turn the
/// direction of writing are shown as '?', so that none of them steers the terminal.
enum Terminal {
  /// Whether the program has a terminal in front of it.
  static var isAttached: Bool {
    [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 }
  }

  /// Reports one line.
  static func report(_ line: String) {
    // Without standard error nothing can report the loss.
    try? OutputFile.standardError.append(Array((line.withoutControls + "\n").utf8))
  }

  /// Reports something that an input has, without an error in it.
  static func remark(_ message: String) { report("waymark: \(message)") }

  /// Prints a command's answer on standard output, a line each.
  static func answer(_ lines: [String]) throws {
    let text = lines.map { $0.withoutControls + "\n" }.joined()
    do {
      try OutputFile.standard.append(Array(text.utf8))
    } catch {
      throw ExitStatus.of(error)
    }
  }
}
