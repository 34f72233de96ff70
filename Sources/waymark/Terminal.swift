import Glibc
import Session

/// Talk with the person at the terminal: everything that is not an event goes to standard error.
enum Terminal {
  /// Says one line.
  static func say(_ line: String) {
    // When standard error is gone there is nobody left to tell.
    try? OutputFile.standardError.append(Array((line + "\n").utf8))
  }

  /// Prints a command's answer on standard output.
  static func answer(_ text: String) throws {
    do {
      try OutputFile.standard.append(Array((text + "\n").utf8))
    } catch {
      throw ExitStatus.of(error)
    }
  }
}
