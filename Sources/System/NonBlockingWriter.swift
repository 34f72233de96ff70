internal import Glibc

/// Writes lines without blocking: lines that cannot be written at once are buffered up to a limit, and
/// lines beyond it are dropped whole and counted.
///
/// It is used by one thread. The owner polls while ``wantsToWrite`` is true and calls ``flush()`` when
/// the descriptor is writable.
package final class NonBlockingWriter {
  /// Why the last attempt to write failed.
  package enum Failure: Sendable, Hashable {
    /// The reader has closed, or the terminal is gone.
    case readerGone
    /// The system's error, such as `no space left on device`.
    case refused(String)
  }

  /// Writes bytes and returns their number, or the negative error number.
  typealias Write = (Int32, UnsafeRawBufferPointer) -> Int

  /// The name in messages.
  package let name: String
  package let descriptor: Int32
  /// Whether it is a regular file, whose contents can be checked.
  package let isFile: Bool
  /// Lines that were dropped because the buffer was full.
  package private(set) var dropped = 0
  /// Lines that were written or dropped.
  package private(set) var settled = 0
  /// Bytes that were written.
  package private(set) var bytesWritten = 0
  /// Why the last write failed; nil after a successful one.
  package private(set) var failure: Failure?

  private let isOwner: Bool
  /// Whether it was a terminal at first; one that is gone is none any more.
  private let wasTerminal: Bool
  private let limit: Int
  private let write: Write
  private var backlog: [UInt8] = []
  /// The ends of the lines in the backlog, and how much of both was written.
  private var ends: [Int] = []
  private var (sent, endsPassed) = (0, 0)

  /// By default so many bytes are kept for a reader that is slow: some ten thousand events.
  package static let usualLimit = 4 << 20

  /// Makes a way out through a descriptor that somebody else closes.
  init(
    name: String, descriptor: Int32, isFile: Bool = false, isOwner: Bool = false,
    limit: Int = usualLimit, write: @escaping Write = NonBlockingWriter.systemWrite
  ) {
    self.name = name
    self.descriptor = descriptor
    self.isFile = isFile
    self.isOwner = isOwner
    wasTerminal = isatty(descriptor) == 1
    self.limit = limit
    self.write = write
  }

  deinit { if isOwner { close(descriptor) } }

  /// Standard output or standard error.
  ///
  /// A pipe or a terminal is opened again, so non-blocking mode does not affect other programs that have
  /// it open.
  package convenience init(standard file: OutputFile) {
    var status = stat()
    let isFile =
      fstat(file.descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let own =
      isFile
      ? -1 : open("/proc/self/fd/\(file.descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    self.init(
      name: file.path, descriptor: own >= 0 ? own : file.descriptor, isFile: isFile,
      isOwner: own >= 0)
  }

  /// Opens a file to append to; a new file is readable for its owner and group.
  ///
  /// A named pipe is allowed and stays open, with or without a reader.
  package convenience init(appendingTo path: String) throws(OutputError) {
    let flags = O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    let descriptor = retried { open(path, flags, 0o640) }
    guard descriptor >= 0 else {
      throw .refused(path: path, reason: SystemError.last.description)
    }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    self.init(name: path, descriptor: descriptor, isFile: isFile, isOwner: true)
  }

  /// Whether it is a terminal.
  package var isTerminal: Bool { isatty(descriptor) == 1 }
  /// The number of buffered lines.
  package var unsettled: Int { ends.count - endsPassed }
  /// Whether poll(2) can report when buffered lines can be written.
  package var canWait: Bool { wantsToWrite && failure == nil }

  /// Whether there are buffered bytes.
  package var wantsToWrite: Bool { sent < backlog.count }

  /// Buffers a line, or drops it when the buffer is full.
  package func offer(_ line: ArraySlice<UInt8>) {
    guard backlog.count - sent + line.count <= limit else {
      dropped += 1
      // It is settled after the lines before it, which are not written yet.
      if endsPassed == ends.count { settled += 1 } else { droppedBehind += 1 }
      return
    }
    backlog.append(contentsOf: line)
    ends.append(backlog.count)
  }

  /// Lines dropped while earlier ones are buffered.
  private var droppedBehind = 0

  /// Removes and returns the buffered lines, each as a whole, even if a part of it was written.
  package func takeWaiting() -> [ArraySlice<UInt8>] {
    var start = endsPassed > 0 ? ends[endsPassed - 1] : 0
    let lines = ends[endsPassed...].map { end in
      defer { start = end }
      return backlog[start..<end]
    }
    (sent, endsPassed) = (0, 0)
    backlog = []
    ends = []
    return lines
  }

  /// Writes as much as the system takes.
  package func flush() {
    while sent < backlog.count {
      // What poll(2) calls writable takes at least so much of a pipe without waiting (POSIX).
      let end = isFile ? backlog.count : min(backlog.count, sent + Int(PIPE_BUF))
      let count = backlog[sent..<end].withUnsafeBytes { write(descriptor, $0) }
      guard count >= 0 else {
        if note(Int32(-count)) { continue }
        break
      }
      failure = nil
      sent += count
      bytesWritten += count
      while endsPassed < ends.count, ends[endsPassed] <= sent {
        endsPassed += 1
        settled += 1
      }
    }
    tidy()
  }

  /// Notes an error; returns whether to retry at once.
  private func note(_ error: Int32) -> Bool {
    switch error {
    case EINTR: return true
    case EAGAIN: return false
    case EPIPE: failure = .readerGone
    case EIO where wasTerminal: failure = .readerGone
    default: failure = .refused(SystemError(code: error).description)
    }
    return false
  }

  private func tidy() {
    if sent == backlog.count {
      settled += droppedBehind
      (sent, endsPassed, droppedBehind) = (0, 0, 0)
      backlog.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
    } else if sent > limit / 2 {
      backlog.removeFirst(sent)
      ends.removeFirst(endsPassed)
      for place in ends.indices { ends[place] -= sent }
      (sent, endsPassed) = (0, 0)
    }
  }

  /// Waits until a file's data is on the disk.
  ///
  /// - Returns: The system's error; nil on success. A failed fdatasync(2) must not be retried: the system
  ///   may have dropped the data, and a second call would succeed.
  package func synchronise() -> String? {
    guard isFile, retried({ fdatasync(descriptor) }) != 0 else { return nil }
    return SystemError.last.description
  }

  static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    return count >= 0 ? count : -Int(errno)
  }
}
