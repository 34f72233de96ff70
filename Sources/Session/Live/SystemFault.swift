internal import Glibc

/// A call of the system that failed, in the system's words.
package struct SystemFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// As errno(3) numbers it.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The failure of the call just made.
  static var last: SystemFault { SystemFault(code: errno) }

  package var description: String { String(cString: strerror(code)) }
}

/// Pipes whose ends neither block nor are inherited.
enum Pipe {
  static func make() throws(SystemFault) -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }
}
