internal import Glibc
package import System
package import Traces
package import Tracking

/// The event log of a live run: entries go to an outlet, each once, over restarts too.
package final class LiveOutput {
  package private(set) var outlet: Outlet
  private var writer: EventWriter
  private let format: EventFormat
  private let path: String?
  private var line: [UInt8] = []
  private var settledBefore = 0
  /// The last lines, for whoever looks on.
  private(set) var lastLines: [[UInt8]] = []

  /// How many of the last lines are kept.
  private static let keptLines = 4

  /// Writes to a file, to whose end it adds, or to standard output.
  package init(
    path: String?, format: EventFormat, fences: FenceSet
  ) throws(OutputError) {
    self.path = path
    self.format = format
    writer = EventWriter(format: format, fences: fences.indices.lazy.map(fences.id(at:)))
    outlet = try Self.open(path)
    if length ?? 0 == 0 { begin() }
  }

  private static func open(_ path: String?) throws(OutputError) -> Outlet {
    guard let path else { return Outlet(standard: .standard) }
    return try Outlet(appendingTo: path)
  }

  private func begin() {
    line.removeAll(keepingCapacity: true)
    writer.begin(into: &line)
    guard !line.isEmpty else { return }
    outlet.offer(line[...])
    // It is no entry.
    settledBefore += 1
  }

  /// Opens the file anew, when it has been moved away; what could not be written to the old one goes
  /// to the new one.
  package func reopen() throws(OutputError) {
    guard path != nil else { return }
    outlet.flush()
    let next = try Self.open(path)
    let waiting = outlet.takeWaiting()
    settledBefore = -written
    outlet = next
    if length ?? 0 == 0 { begin() }
    for line in waiting { outlet.offer(line) }
    outlet.flush()
  }

  /// How wide the columns of a text have become.
  var columns: [Int] { writer.columns }

  /// Bytes in the file, when it is one.
  var length: Int? {
    var status = stat()
    guard outlet.isFile, fstat(outlet.descriptor, &status) == 0 else { return nil }
    return Int(status.st_size)
  }

  /// Entries since the last checkpoint that are out.
  var written: Int { max(0, outlet.settled - settledBefore) }

  /// A checkpoint was written, all entries before which are out.
  func markCheckpoint() {
    settledBefore = outlet.settled
  }

  /// Says entries.
  package func write(_ entries: some Sequence<LogEntry>) {
    for entry in entries {
      render(entry)
      offer()
    }
  }

  private func render(_ entry: LogEntry) {
    line.removeAll(keepingCapacity: true)
    writer.append(entry, to: &line)
  }

  private func offer() {
    guard !line.isEmpty else { return }
    outlet.offer(line[...])
    lastLines.append(line)
    if lastLines.count > Self.keptLines { lastLines.removeFirst() }
  }

  /// Says again what followed a checkpoint, without what is out already.
  ///
  /// Where the output is a file, it shows byte by byte how far it came; else `known` entries were
  /// out for sure.
  func resume(_ entries: [LogEntry], known: Int, from length: Int?, columns: [Int]) {
    writer.columns = columns
    guard let length, let tail = tail(from: length) else {
      // A line that was cut is no line: it is ended, and said again as a whole.
      endTornLine()
      for entry in entries.prefix(known) { render(entry) }
      return write(entries.dropFirst(known))
    }
    var place = 0
    for (number, entry) in entries.enumerated() {
      render(entry)
      let isOut = min(tail.count - place, line.count)
      let tail = tail[place..<place + isOut]
      guard tail.elementsEqual(line.prefix(isOut)) else {
        let same = zip(tail, line).prefix { $0 == $1 }.count
        if tail[tail.startIndex + same] == 0, cut(to: length + place + same) {
          line.removeFirst(same)
          offer()
          return write(entries[(number + 1)...])
        }
        // Somebody else wrote there: what is known to be out is left out.
        endTornLine()
        return write(entries.dropFirst(known))
      }
      place += isOut
      if isOut < line.count {
        line.removeFirst(isOut)
        offer()
      }
    }
    mend(tail[place...], at: length + place)
  }

  /// Makes lines of what a power cut has left of lines whose inputs are lost.
  private func mend(_ rest: ArraySlice<UInt8>, at place: Int) {
    guard !rest.isEmpty else { return }
    let zero = rest.firstIndex(of: 0)
    let hole = zero.map { zero in
      rest[..<zero].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.startIndex
    }
    if let hole, cut(to: place + hole - rest.startIndex) { return }
    endTornLine()
  }

  /// Takes back what a power cut has left behind a place: a zero, which no text has, is a piece that
  /// was never written.
  private func cut(to length: Int) -> Bool {
    retried { ftruncate(outlet.descriptor, off_t(length)) } == 0
  }

  private var endsInLine: Bool {
    guard let length, length > 0, let last = tail(from: length - 1) else { return false }
    return last != [UInt8(ascii: "\n")]
  }

  /// Ends a line that was cut, before anything is added.
  func endTornLine() {
    guard endsInLine else { return }
    outlet.offer([UInt8(ascii: "\n")])
    // It is no entry.
    settledBefore += 1
  }

  /// What the file has behind `length` bytes; nil when it is no file, is shorter, or cannot be read.
  private func tail(from length: Int) -> [UInt8]? {
    guard let end = self.length, length <= end else { return nil }
    let file = Glibc.open("/proc/self/fd/\(outlet.descriptor)", O_RDONLY | O_CLOEXEC)
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
