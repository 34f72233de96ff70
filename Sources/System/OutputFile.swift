internal import Glibc

/// A file, standard output or standard error, written with blocking system calls.
package struct OutputFile: Sendable {
  package let path: String
  package let descriptor: Int32
  private let isOwner: Bool

  /// Standard output.
  package static let standard = OutputFile(path: "standard output", descriptor: STDOUT_FILENO)

  /// Standard error.
  package static let standardError = OutputFile(path: "standard error", descriptor: STDERR_FILENO)

  private init(path: String, descriptor: Int32, isOwner: Bool = false) {
    self.path = path
    self.descriptor = descriptor
    self.isOwner = isOwner
  }

  /// Creates or truncates a file.
  package init(path: String) throws(OutputError) {
    try self.init(path: path, flags: O_TRUNC)
  }

  /// The file that a user names; `-` is standard output.
  package static func named(_ path: String) throws(OutputError) -> OutputFile {
    path == "-" ? .standard : try OutputFile(path: path)
  }

  /// Creates a file, and refuses one that is there.
  package init(creating path: String) throws(OutputError) {
    try self.init(path: path, flags: O_EXCL)
  }

  private init(path: String, flags: Int32) throws(OutputError) {
    let descriptor = retried { open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o666) }
    guard descriptor >= 0 else { throw .refused(path: path, reason: SystemError.last.description) }
    self.init(path: path, descriptor: descriptor, isOwner: true)
  }

  /// Whether it is a terminal.
  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Throws for one that was closed when the program began.
  ///
  /// In its place is `/dev/null`, open for reading, which a second open for writing would accept.
  package func checkOpen() throws(OutputError) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags < 0 || flags & O_ACCMODE == O_RDONLY else { return }
    throw .refused(path: path, reason: SystemError(code: EBADF).description)
  }

  /// Columns and rows; 80 by 24 when it does not know them.
  package var terminalSize: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
    return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// Writes all of `bytes` and empties the buffer.
  ///
  /// - Throws: ``OutputError/readerGone`` when the reader of a pipe has closed it.
  package func write(_ bytes: inout [UInt8]) throws(OutputError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { part in
        Glibc.write(descriptor, part.baseAddress, part.count)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else if errno != EINTR {
        throw errno == EPIPE
          ? .readerGone : .refused(path: path, reason: SystemError.last.description)
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes all of `bytes`.
  package func append(_ bytes: [UInt8]) throws(OutputError) {
    var bytes = bytes
    try write(&bytes)
  }

  /// Waits until the data of a regular file is on the disk.
  package func synchronise() throws(OutputError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    guard retried({ fdatasync(descriptor) }) == 0 else {
      throw .refused(path: path, reason: SystemError.last.description)
    }
  }

  /// Closes a file that was opened here; a full disk may be reported only now.
  package func close() throws(OutputError) {
    guard isOwner else { return }
    guard Glibc.close(descriptor) == 0 else {
      throw .refused(path: path, reason: SystemError.last.description)
    }
  }
}
