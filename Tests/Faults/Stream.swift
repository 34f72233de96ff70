import Foundation
import Glibc

/// Writes to a named pipe what is made part by part; for a thread of its own.
enum Stream {
  static func write(to path: String, parts: Int, _ part: (Int) -> [UInt8]) {
    // A reader that is gone is no end of the tests.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let file = open(path, O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    for number in 0..<parts {
      var rest = part(number)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        if count < 0 { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}
