internal import Glibc
internal import Receivers
internal import Session
internal import System
internal import Tracking

/// Writes gpsd's data to a file, byte for byte, so `replay` sees what `watch` saw.
///
/// - A ``RecordingHeader`` comes first, and is repeated where a program starts to append to a file. It names
///   the recording and the number of the file, so a replay joins its files.
/// - Each batch of complete lines is one write(2) in append mode, so a kill -9 costs at most the last
///   line. A truncated line is ended before anything is appended.
/// - Rotated files are named for the time of their last report, `trip-20261122T101500Z.jsonl`, and
///   never overwrite another file. The given name is always that of the current file. Where it is a
///   symbolic link, the files are beside the one that it points to at the start.
/// - When a write fails (a full disk), the lines that do not fit are lost and counted, and the next
///   batch is tried again; a line `{"class":"WAYMARK","lost":17}` then replaces the lost ones.
package struct RecordingWriter {
  package let path: String
  /// The file itself, where the path is a symbolic link.
  private let target: String
  /// Lines of gpsd written.
  package private(set) var lines = 0
  /// Bytes of gpsd written.
  package private(set) var bytes = 0
  /// Lines of gpsd that could not be written.
  package private(set) var lost = 0

  /// The suffixes of the files beside a recording.
  package static let suffixes = [".new"]

  /// The line that names the device of what follows, at the top of a new file.
  var device: [UInt8] = []
  private let header: RecordingHeader
  /// Whether the engines of this program know nothing of what was recorded before.
  private let isFresh: Bool
  /// Which file of the recording the current one is; nil in one of an earlier release.
  private var part: RecordingPart?
  /// Whether a header of this program is in the recording.
  private var hasBegun = false
  /// The bytes at the top of the file without which it has nothing.
  private var topSize: Int
  private let rotation: RecordingRotation
  private let disk: RecordingDisk
  private var file: RecordingFile
  /// Bytes to write before the next lines.
  private var head: [UInt8]
  /// Lines lost since the last write that succeeded.
  private var missing = 0
  /// The value of ``lost`` when writing started to fail.
  private var lostBefore = 0
  private var isRotationFailing = false
  /// The reports' time when a rotation last failed; nil when it is not known.
  private var failedAt: Timestamp?
  /// The bytes of the file when a rotation last failed.
  private var failedSize = 0
  /// How long after a failure a rotation is tried again, seconds of the reports' time.
  private static let retryInterval = 60.0
  private var days: DayChange

  /// Opens or creates the file, readable and writable only for its owner.
  ///
  /// - Parameter isFresh: Whether the program has engines that know nothing of what is in the file.
  /// - Throws: ``RecordingError`` when it cannot be written, is not a regular file, or another program
  ///   is recording to it.
  package init(
    path: String, header: RecordingHeader, rotation: RecordingRotation = .never,
    isFresh: Bool = false
  ) throws(RecordingError) {
    try self.init(
      path: path, header: header, rotation: rotation, isFresh: isFresh, disk: .system,
      id: Self.newID())
  }

  /// The same with another disk, and with the name of a new recording, for tests.
  init(
    path: String, header: RecordingHeader, rotation: RecordingRotation, isFresh: Bool = false,
    disk: RecordingDisk, id: String
  ) throws(RecordingError) {
    self.path = path
    // A link is resolved once: a rotation would rename it, and leave the disk that it points to.
    let target = FileIdentity.target(behind: path)
    self.target = target
    self.header = header
    self.isFresh = isFresh
    self.rotation = rotation
    self.disk = disk
    do throws(RecordingError) {
      if let left = try RecordingRotator.takeOver(path: target, disk: disk) {
        file = left
      } else {
        file = try RecordingFile(path: target, disk: disk)
      }
    } catch {
      throw error.naming(path, for: target)
    }
    part = file.size > 0 ? file.part : RecordingPart(firstOf: id)
    // A program starts here, whatever wrote the first line.
    part?.isContinued = false
    RecordingRotator.tidy(path: target, file: file, part: part)
    let top = header.lines(in: part)
    topSize = top.count
    head = file.isTorn ? [UInt8(ascii: "\n")] : []
    if isFresh, file.size > 0 { head += RecordingHeader.restart }
    head += top
    days = DayChange(last: rotation == .day ? file.lastReport : nil)
  }

  /// A name that no other recording has.
  private static func newID() -> String {
    RecordingHeader.digits(.random(in: 0...UInt64.max))
  }

  /// Appends complete lines of gpsd.
  ///
  /// It does not throw: `report` gets a notice for each change, and lost lines are counted.
  package mutating func append(
    _ bytes: ArraySlice<UInt8>, report: (RecordingNotice) -> Void = { _ in }
  ) {
    guard rotation == .day else { return add(bytes, report) }
    var (start, next) = (bytes.startIndex, bytes.startIndex)
    while next < bytes.endIndex {
      let feed = bytes[next...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex - 1
      if let time = ReportTime.of(bytes[next..<feed]), days.isNew(time) || isRetryDue(time) {
        add(bytes[start..<next], report)
        rotate(at: time, report)
        start = next
      }
      next = feed + 1
    }
    add(bytes[start...], report)
  }

  // MARK: Writing

  private mutating func add(_ bytes: ArraySlice<UInt8>, _ report: (RecordingNotice) -> Void) {
    guard !bytes.isEmpty else { return }
    if case .size(let limit) = rotation, file.size > topSize,
      file.size + bytes.count > limit
    {
      let time = ReportTime.last(in: bytes)
      // Sentences of NMEA alone have no time.
      let isDue = time.map { isRetryDue($0) } ?? (file.size - failedSize >= limit / 10)
      if !isRotationFailing || isDue { rotate(at: time, report) }
    }
    if missing > 0 { head += RecordingHeader.gap(lines: missing) }
    let written = file.append(head + bytes, head: head.count)
    let kept = max(0, written.count - head.count)
    let (all, whole) = (Self.lines(in: bytes), Self.lines(in: bytes.prefix(kept)))
    lines += whole
    self.bytes += kept
    note(written, lost: all - whole, report)
  }

  private mutating func note(
    _ written: RecordingFile.Written, lost count: Int, _ report: (RecordingNotice) -> Void
  ) {
    let before = missing
    if written.count >= head.count { hasBegun = true }
    if written.count >= head.count, !head.isEmpty {
      head = []
      missing = 0
    } else if before > 0 {
      head.removeLast(RecordingHeader.gap(lines: before).count)
    }
    if written.isTorn, head.first != UInt8(ascii: "\n") {
      head.insert(UInt8(ascii: "\n"), at: 0)
    }
    missing += count
    lost += count
    if let fault = written.fault {
      guard before == 0 else { return }
      lostBefore = lost - count
      report(.failing(path: path, fault))
    } else if before > 0 {
      report(.resumed(path: path, lost: lost - lostBefore))
    }
  }

  private static func lines(in bytes: ArraySlice<UInt8>) -> Int {
    bytes.count { $0 == UInt8(ascii: "\n") }
  }

  // MARK: Rotation

  /// Whether a rotation that failed is to be tried again.
  private func isRetryDue(_ time: Timestamp) -> Bool {
    guard isRotationFailing else { return false }
    guard let failedAt else { return true }
    let passed = time.seconds(since: failedAt)
    // The receiver's clock may have gone back; reports of phones that are late are no sign of it.
    return passed >= Self.retryInterval || passed <= -86_400
  }

  /// - Parameter time: That of the reports.
  private mutating func rotate(at time: Timestamp?, _ report: (RecordingNotice) -> Void) {
    guard writeRestart() else { return }
    do throws(RecordingError) {
      var next = part?.next ?? RecordingPart(firstOf: Self.newID())
      next.isContinued = hasBegun && part != nil
      let top = header.lines(in: next) + device
      let (new, old) = try RecordingRotator.perform(path: target, file: file, top: top, disk: disk)
      (file, part, topSize, head, hasBegun) = (new, next, top.count, [], true)
      isRotationFailing = false
      report(.rotated(to: old))
    } catch {
      if !isRotationFailing { report(.notRotated(error)) }
      (isRotationFailing, failedAt, failedSize) = (true, time, file.size)
    }
  }

  /// Writes where the engines start over, behind what they do not know: a new file begins with its header.
  ///
  /// - Returns: Whether nothing of it is missing.
  private mutating func writeRestart() -> Bool {
    guard isFresh, !hasBegun, file.size > 0 else { return true }
    let written = file.append(head, head: head.count)
    guard written.fault == nil else {
      if written.isTorn, head.first != UInt8(ascii: "\n") {
        head.insert(UInt8(ascii: "\n"), at: 0)
      }
      return false
    }
    (head, hasBegun) = ([], true)
    return true
  }
}

extension RecordingWriter {
  /// A summary of the recording in a line or two.
  var summary: [String] {
    let (lines, bytes) = (SessionTotals.count(lines, "line"), SessionTotals.count(bytes, "byte"))
    var summary = ["\(lines), \(bytes) in \(path)"]
    if lost > 0 {
      let (one, many) = ("line could not be written and was", "lines could not be written and were")
      summary.append("\(SessionTotals.count(lost, one, many)) lost")
    }
    return summary
  }
}
