import Glibc
import Session

/// Talk with the person at the terminal: everything that is not an event goes to standard error.
enum Terminal {
  /// Says one line.
  static func say(_ line: String) {
    var bytes = Array((line + "\n").utf8)
    // When standard error is gone there is nobody left to tell.
    try? OutputFile.standardError.write(&bytes)
  }

  /// Prints a command's answer on standard output.
  static func answer(_ text: String) throws {
    var bytes = Array((text + "\n").utf8)
    do {
      try OutputFile.standard.write(&bytes)
    } catch {
      throw ExitStatus.of(error)
    }
  }
}
