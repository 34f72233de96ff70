package import EventLog
internal import Glibc
package import System
package import Tracking

/// The event log of `watch`: each entry is written once, across restarts too.
package final class LiveOutput {
  package private(set) var writer: NonBlockingWriter
  private var formatter: EventWriter
  private let format: EventFormat
  private let path: String?
  private var line: [UInt8] = []
  private var settledBefore = 0
  /// The last lines, for the live view.
  private(set) var lastLines: [[UInt8]] = []

  /// How many of the last lines are kept.
  private static let keptLines = 4

  /// Writes to a file, to whose end it adds, or to standard output.
  package init(
    path: String?, format: EventFormat, fences: FenceSet, layout: TextLayout = TextLayout()
  ) throws(OutputError) {
    self.path = path
    self.format = format
    formatter = EventWriter(
      format: format, fences: fences.indices.lazy.map(fences.id(at:)), layout: layout)
    writer = try Self.open(path)
    if length ?? 0 == 0 { begin() }
  }

  private static func open(_ path: String?) throws(OutputError) -> NonBlockingWriter {
    if let path { return try NonBlockingWriter(appendingTo: path) }
    try OutputFile.standard.checkOpen()
    return NonBlockingWriter(standard: .standard)
  }

  private func begin() {
    line.removeAll(keepingCapacity: true)
    formatter.begin(into: &line)
    guard !line.isEmpty else { return }
    writer.offer(line[...])
    // Not an entry.
    settledBefore += 1
  }

  /// Reopens the file after a log rotation; lines that could not be written to the old file go to the
  /// new one.
  package func reopen() throws(OutputError) {
    guard path != nil else { return }
    writer.flush()
    let next = try Self.open(path)
    let waiting = writer.takeWaiting()
    settledBefore = -written
    writer = next
    if length ?? 0 == 0 { begin() }
    for line in waiting { writer.offer(line) }
    writer.flush()
  }

  /// The column widths of the text format.
  var columns: [Int] { formatter.columns }

  /// Bytes in the file, when it is one.
  var length: Int? { status.map { Int($0.st_size) } }

  /// The inode of the file, when it is one.
  ///
  /// A file that was moved away keeps it. The number of a device may change at a restart of the system.
  var inode: UInt64? { status.map { UInt64($0.st_ino) } }

  private var status: stat? {
    var status = stat()
    guard writer.isFile, fstat(writer.descriptor, &status) == 0 else { return nil }
    return status
  }

  /// Entries written since the last checkpoint.
  var written: Int { max(0, writer.settled - settledBefore) }

  /// Notes a checkpoint; all entries before it have been written.
  func markCheckpoint() {
    settledBefore = writer.settled
  }

  /// Writes entries.
  package func write(_ entries: some Sequence<LogEntry>) {
    for entry in entries {
      render(entry)
      offer()
    }
  }

  private func render(_ entry: LogEntry) {
    line.removeAll(keepingCapacity: true)
    formatter.append(entry, to: &line)
  }

  private func offer() {
    guard !line.isEmpty else { return }
    writer.offer(line[...])
    lastLines.append(line)
    if lastLines.count > Self.keptLines { lastLines.removeFirst() }
  }

  /// Writes the entries that follow a checkpoint, except those that are already in the output.
  ///
  /// A file shows byte by byte what was written. For other outputs, and for a new file in the place of one
  /// that was moved away, the first `known` entries were.
  ///
  /// - Parameters:
  ///   - length: That of the file at the checkpoint.
  ///   - inode: Its inode; nil when it is not known.
  /// - Returns: False when an entry that is known to be written is not there: a release whose engine decides
  ///   otherwise wrote another in its place.
  func resume(
    _ entries: [LogEntry], known: Int, from length: Int?, of inode: UInt64? = nil, columns: [Int]
  ) -> Bool {
    formatter.columns = columns
    // They are written too, for a restart that finds the same checkpoint.
    var present = 0
    defer { settledBefore -= present }
    let isSame = inode == nil || inode == self.inode
    guard let length, let tail = tail(from: length), isSame || !tail.isEmpty else {
      // A torn line is ended, and its entry is written again as a whole.
      endTornLine()
      for entry in entries.prefix(known) { render(entry) }
      present = min(known, entries.count)
      write(entries.dropFirst(known))
      return true
    }
    var place = 0
    for (number, entry) in entries.enumerated() {
      render(entry)
      let isOut = min(tail.count - place, line.count)
      guard tail[place..<place + isOut].elementsEqual(line.prefix(isOut)) else {
        let same = zip(tail[place...], line).prefix { $0 == $1 }.count
        if tail[place + same] == 0, cut(to: length + place + same) {
          line.removeFirst(same)
          offer()
          write(entries[(number + 1)...])
          return true
        }
        // Another program or release wrote there: skip the entries known to be written.
        let isThere = number >= known || tail[place...].firstRange(of: line) != nil
        endTornLine()
        present = min(known, entries.count)
        write(entries.dropFirst(known))
        return isThere
      }
      place += isOut
      if isOut < line.count {
        line.removeFirst(isOut)
        offer()
      } else {
        present += 1
      }
    }
    mend(tail[place...], at: length + place)
    return true
  }

  /// Repairs the lines that a power cut has left and whose inputs are lost.
  private func mend(_ rest: ArraySlice<UInt8>, at place: Int) {
    guard !rest.isEmpty else { return }
    let zero = rest.firstIndex(of: 0)
    let hole = zero.map { zero in
      rest[..<zero].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.startIndex
    }
    if let hole, cut(to: place + hole - rest.startIndex) { return }
    endTornLine()
  }

  /// Truncates the file after a power cut: a zero byte, which no text has, was never written.
  private func cut(to length: Int) -> Bool {
    retried { ftruncate(writer.descriptor, off_t(length)) } == 0
  }

  private var endsInLine: Bool {
    guard let length, length > 0, let last = tail(from: length - 1) else { return false }
    return last != [UInt8(ascii: "\n")]
  }

  /// Ends a torn last line, before anything is added.
  func endTornLine() {
    guard endsInLine else { return }
    writer.offer([UInt8(ascii: "\n")])
    // Not an entry.
    settledBefore += 1
  }

  /// The bytes after the first `length`; nil when the output is not a file, is shorter, or cannot be read.
  private func tail(from length: Int) -> [UInt8]? {
    guard let end = self.length, length <= end else { return nil }
    let file = Glibc.open("/proc/self/fd/\(writer.descriptor)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: end - length)
    var place = 0
    while place < bytes.count {
      let count = bytes[place...].withUnsafeMutableBytes {
        pread(file, $0.baseAddress, $0.count, length + place)
      }
      guard count > 0 else { return nil }
      place += count
    }
    return bytes
  }
}
