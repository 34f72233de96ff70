internal import GPSD
internal import Glibc
internal import Receivers
internal import System
internal import Tracking

/// The file that a recording is written to at present: append only, for its owner alone, locked
/// against a second program.
final class RecordingFile {
  /// How a write ended.
  struct Written {
    /// Bytes that are in the file for good; they end with a line, unless ``isTorn``.
    var count: Int
    /// Why not all of them are.
    var fault: SystemError?
    /// Whether a piece of a line is left that could not be taken back.
    var isTorn = false
  }

  /// Bytes in it.
  private(set) var size: Int
  private let lock: FileLock
  private var descriptor: Int32 { lock.descriptor }
  private let disk: RecordingDisk

  /// How many bytes at the end are searched for the last report: more than any line.
  private static let tail = 2 * Link.longestLine

  /// Opens or creates a file.
  ///
  /// - Parameter isEmptied: Whether an existing file, which has no more than its first lines, is emptied
  ///   once it is locked; otherwise it is appended to.
  init(
    path: String, isEmptied: Bool = false, disk: RecordingDisk
  ) throws(RecordingError) {
    self.disk = disk
    let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    let opened = retried { open(path, flags, 0o600) }
    guard opened >= 0 else { throw .cannotOpen(path: path, .last) }
    do throws(FileLock.Failure) {
      lock = try FileLock(taking: opened)
    } catch {
      throw .inUse(path: path)
    }
    size = 0
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .cannotOpen(path: path, .last) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    size = Int(status.st_size)
    if isForeign { throw .foreign(path: path) }
    if isEmptied, !hasTopAlone { throw .occupied(path: path) }
    // What is appended is where somebody is, whatever was there before.
    if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
    // Not by O_TRUNC: another program's file would be empty before its lock is seen.
    guard isEmptied else { return }
    guard retried({ ftruncate(descriptor, 0) }) == 0 else { throw .cannotOpen(path: path, .last) }
    size = 0
  }

  /// Whether the first line is not one of gpsd or ours.
  ///
  /// Nothing or another line of them follows one that a power cut has cut.
  private var isForeign: Bool {
    let title = Array("{\"class\":\"".utf8)
    let start = read(first: 2 * title.count)
    guard let first = start.first, first != 0, !start.starts(with: title) else { return false }
    let line = start.prefix { $0 != UInt8(ascii: "\n") }
    let next = start[line.endIndex...].dropFirst().prefix(title.count)
    return line.isEmpty || !title.starts(with: line) || !title.starts(with: next)
  }

  /// Whether it has no more than what a rotation writes at the top of a file, which may be cut: all of it
  /// is written again.
  var hasTopAlone: Bool {
    guard size <= Self.longestTop else { return false }
    var bytes = read(first: size)
    // A power cut leaves zeros where blocks were not written.
    while bytes.last == 0 { bytes.removeLast() }
    return bytes.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
      Self.topLines.contains { line.starts(with: $0) || $0.starts(with: line) }
    }
  }

  /// How lines of a ``RecordingHeader`` begin, and the one that names the device of what follows.
  private static let topLines = ["recording", "device"].map {
    Array("{\"class\":\"WAYMARK\",\"\($0)\":".utf8)
  }
  /// More bytes than the first lines of a file have.
  private static let longestTop = 1 << 20

  /// Whether the last line has no end: a program was killed, or the power was cut.
  var isTorn: Bool { size > 0 && read(last: 1).first != UInt8(ascii: "\n") }

  /// Which file of its recording it is, as its first line says.
  var part: RecordingPart? { RecordingPart(top: read(first: Link.longestLine)) }

  /// The time of the last report in it, or else when it was last written.
  var time: Timestamp {
    if let time = lastReport { return time }
    var status = stat()
    fstat(descriptor, &status)
    // A file may have any time, also one that no instant has.
    return Timestamp(nanoseconds: 0).advanced(bySeconds: Double(status.st_mtim.tv_sec))
  }

  /// The time of the last report near its end.
  var lastReport: Timestamp? { ReportTime.last(in: read(last: Self.tail)) }

  /// Writes whole lines, of which the first `head` bytes mean something only together; what is
  /// written of a line that does not fit is taken back.
  func append(_ bytes: [UInt8], head: Int) -> Written {
    var done = 0
    var fault: SystemError?
    while done < bytes.count, fault == nil {
      let count = bytes.withUnsafeBytes {
        disk.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]))
      }
      if count >= 0 {
        done += count
      } else if count != -Int(EINTR) {
        fault = SystemError(code: Int32(-count))
      }
    }
    guard let fault else {
      size += done
      return Written(count: done, fault: nil)
    }
    return takeBack(bytes, done: done, head: head, fault)
  }

  private func takeBack(
    _ bytes: [UInt8], done: Int, head: Int, _ fault: SystemError
  ) -> Written {
    let end = bytes[..<done].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let whole = end >= head ? end : 0
    let isTakenBack = whole == done || disk.truncate(descriptor, size + whole)
    size += isTakenBack ? whole : done
    return Written(count: whole, fault: fault, isTorn: !isTakenBack && end != done)
  }

  private func read(first count: Int) -> ArraySlice<UInt8> {
    read(0..<min(count, size))
  }

  private func read(last count: Int) -> ArraySlice<UInt8> {
    read(max(size - count, 0)..<size)
  }

  private func read(_ range: Range<Int>) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let found = retried {
      Int32(pread(descriptor, &bytes, bytes.count, off_t(range.lowerBound)))
    }
    return bytes[..<max(Int(found), 0)]
  }
}

/// The operations of a disk, which tests replace by a failing one.
struct RecordingDisk: Sendable {
  /// Writes like write(2); a failure is given as its number below 0.
  var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
  /// Shortens a file; false when that cannot be.
  var truncate: @Sendable (Int32, Int) -> Bool

  /// The system's.
  static let system = RecordingDisk(
    write: { descriptor, bytes in
      let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      return count >= 0 ? count : -Int(errno)
    },
    truncate: { ftruncate($0, off_t($1)) == 0 })
}
