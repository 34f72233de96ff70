internal import Glibc

/// Pipes that child processes do not inherit.
enum Pipe {
  /// A pipe with non-blocking ends.
  static func make() throws(SystemError) -> (reader: Int32, writer: Int32) {
    let ends = try makeBlocking()
    for end in [ends.reader, ends.writer] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return ends
  }

  /// A pipe whose ends block, for the standard input or output of a child.
  static func makeBlocking() throws(SystemError) -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
