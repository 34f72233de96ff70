internal import EventLog
internal import Glibc
internal import Session
internal import StateFiles
internal import System
internal import Tracking

/// Why the state of `watch` cannot be saved.
package enum StateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another program uses it.
  case inUse(path: String)
  /// A later release of the program wrote it.
  case newer(path: String, reason: String)
  /// The file is no state, and stays as it is.
  case foreign(path: String)
  /// The system refused.
  case refused(path: String, reason: String)

  /// The error in one sentence.
  package var description: String {
    switch self {
    case .inUse(let path):
      "\(path): in use by another waymark; give each its own --state"
    case .newer(let path, let reason):
      "\(path): \(reason); install the release that wrote it, or name another --state to start over"
    case .foreign(let path):
      "\(path): not a waymark file, so it is left as it is; name another file as the --state"
    case .refused(let path, let reason): "\(path): cannot save the state: \(reason)"
    }
  }
}

/// Saves the engine's state, so it survives the end of the process, kill -9 included.
///
/// There are two files: a checkpoint, and beside it a journal of the engine's inputs since then.
/// Inputs are written before the events that they lead to. The engine is deterministic, so a
/// restarted program knows exactly which events were written and which were not.
package final class StateStore {
  /// A checkpoint and the inputs after it.
  struct Kept {
    var state: Checkpoint
    var inputs: [JournalRecord]
  }

  /// What follows the path of a state in the names of the files beside it.
  package static let suffixes =
    WholeFile.suffixes + [".journal", ".unusable", AnchorControl.suffix]

  /// The state to continue from; nil on the first start.
  private(set) var kept: Kept?
  /// A message about the state that was found.
  private(set) var notice: String?
  /// Inputs since the last checkpoint.
  private(set) var inputCount = 0
  /// Why the last write failed; nil when it succeeded.
  var failure: String? {
    if let journalFailure { return journalFailure }
    return hasGap ? stateFailure ?? "too many inputs waited" : diskFailure ?? stateFailure
  }

  /// Writes all of the bytes.
  typealias Write = (ArraySlice<UInt8>, Int32) throws(WholeFile.Failure) -> Void

  private let path: String
  private let write: Write
  private let lock: FileLock
  private var journal: Int32 { lock.descriptor }
  private var generation = 0
  /// The length of the journal up to its last whole record; behind it may be a part of one.
  private var journalLength = 0
  private var journalFailure: String?
  /// Why inputs may not survive a power cut.
  private var diskFailure: String?
  private var stateFailure: String?
  /// What is to be added to the journal.
  ///
  /// A journal is read up to its first gap, so after a failure everything waits here.
  private var buffer: [UInt8] = []
  /// Whether the buffer was full, so that the journal has a gap until the next checkpoint.
  private var hasGap = false
  /// The device of the last input in the journal.
  private var lastDevice = 0

  /// The most bytes that wait: half a day of inputs.
  private static let longestBuffer = 4 << 20

  /// Opens the state at `path`, which need not be there; its folder must.
  init(path: String, write: @escaping Write = WholeFile.writeAll) throws(StateError) {
    self.path = path
    self.write = write
    do throws(FolderTrust.Violation) {
      try FolderTrust.check(Folder.parent(of: path))
    } catch {
      throw .refused(path: path, reason: error.description)
    }
    if Checkpoint.file.isForeign(path) { throw .foreign(path: path) }
    let journal = Self.journalPath(path)
    if WholeFile.isForeign(journal, title: Self.journalTitle) { throw .foreign(path: journal) }
    do throws(FileLock.Failure) {
      lock = try FileLock(journal, flags: O_APPEND)
    } catch {
      switch error {
      case .held: throw .inUse(path: path)
      case .refused(let failure): throw .refused(path: path, reason: failure.reason)
      }
    }
    do throws(ChecksummedFile.ReadError) {
      let state = try Checkpoint.file.read(Checkpoint.self, from: path)
      generation = state.generation
      kept = Kept(state: state, inputs: try readJournal())
    } catch {
      switch error {
      case .missing: break
      case .unusable(let reason): notice = putAside(reason)
      // Starting over would report again what the later release reported.
      case .newer(let reason): throw .newer(path: path, reason: reason)
      case .unreadable(let reason):
        // The journal is closed with the store.
        throw .refused(path: path, reason: reason)
      }
    }
  }

  /// The inputs since the checkpoint; none when the journal is of another one.
  private func readJournal() throws(ChecksummedFile.ReadError) -> [JournalRecord] {
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.readPrivate(Self.journalPath(path))
    } catch {
      throw .unreadable(error.reason)
    }
    let title = Self.title(generation)
    guard bytes.starts(with: title) else {
      beginJournal()
      return []
    }
    let (records, end) = JournalRecord.read(
      bytes[title.count...], generation: generation)
    // What is added behind a record that was cut would never be read.
    journalLength = end
    for case .device(let number) in records { lastDevice = number }
    return records
  }

  /// Empties the journal, and makes it the one of the present checkpoint.
  private func beginJournal() {
    // A kill before the new title is written leaves an empty journal or that of another checkpoint.
    // Both mean that there are no inputs.
    (journalFailure, diskFailure, hasGap, journalLength) = (nil, nil, false, 0)
    lastDevice = 0
    buffer = Self.title(generation)
    commit()
  }

  /// Renames a state that cannot be used; an older one of that name stays too.
  private func putAside(_ reason: String) -> String {
    for number in 1...Self.mostUnusable {
      let aside = "\(path).unusable" + (number == 1 ? "" : "-\(number)")
      var status = stat()
      // The lock is held, so no other watch takes the name meanwhile.
      guard lstat(aside, &status) != 0, rename(path, aside) == 0 else { continue }
      return "\(path): \(reason); it was renamed to \(aside), and the engine starts over"
    }
    return "\(path): \(reason); the engine starts over"
  }

  /// Whether a program has the state at `path`; it only looks.
  static func isInUse(_ path: String) -> Bool {
    guard let journal = try? WholeFile.openPrivate(journalPath(path), O_RDONLY) else {
      return false
    }
    do throws(FileLock.Failure) {
      _ = try FileLock(taking: journal)
      return false
    } catch {
      return error == .held
    }
  }

  private static func journalPath(_ path: String) -> String { "\(path).journal" }

  private static let journalTitle = "waymark-journal"
  /// The most unusable states that are kept; a further one is replaced.
  private static let mostUnusable = 20

  private static func title(_ generation: Int) -> [UInt8] {
    Array("\(journalTitle) \(Checkpoint.file.version) \(generation)\n".utf8)
  }

  /// Adds an input of a device, which survives a kill once ``commit()`` returns.
  func add(_ record: JournalRecord, of device: Int) {
    if device != lastDevice {
      lastDevice = device
      add(.device(device))
    }
    add(record)
  }

  /// Whether a power cut would not lose what was committed and synchronised.
  var hasAll: Bool { journalFailure == nil && diskFailure == nil && !hasGap }

  /// Adds nothing more until the next checkpoint, as the journal's devices are not those of now.
  func endJournal() { hasGap = true }

  /// Adds a record.
  func add(_ record: JournalRecord) {
    inputCount += 1
    hasGap = hasGap || buffer.count > Self.longestBuffer
    if !hasGap { record.append(to: &buffer, generation: generation) }
  }

  /// Writes what was added, in one write(2): a kill leaves all of it or nothing.
  ///
  /// The events that follow from it are written next, and after a kill they must follow from the journal
  /// again. So a failed write is tried once more, and with every later one.
  func commit() {
    guard !buffer.isEmpty else { return }
    do throws(WholeFile.Failure) {
      do throws(WholeFile.Failure) {
        try append()
      } catch {
        try append()
      }
      journalFailure = nil
    } catch {
      journalFailure = error.reason
    }
  }

  private func append() throws(WholeFile.Failure) {
    var status = stat()
    guard fstat(journal, &status) == 0 else { throw WholeFile.Failure(code: errno) }
    if Int(status.st_size) != journalLength {
      guard retried({ ftruncate(journal, off_t(journalLength)) }) == 0 else {
        throw WholeFile.Failure(code: errno)
      }
    }
    try write(buffer[...], journal)
    journalLength += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Waits until the inputs are on the disk, so the events that follow from them may be written.
  func synchronise() {
    guard journalFailure == nil, retried({ fdatasync(journal) }) != 0 else { return }
    diskFailure = WholeFile.Failure(code: errno).reason
  }

  /// Writes a checkpoint and begins a new journal; on failure the old checkpoint and its journal stay
  /// valid.
  ///
  /// - Parameters:
  ///   - devices: By their numbers in the journal.
  ///   - rules: Those of devices that appear after it.
  ///   - kinds: Those of the entries that the output shows.
  /// - Returns: Whether it was written.
  func checkpoint(
    devices: [Checkpoint.Device], rules: Rules? = nil, kinds: Set<LogEntry.Kind>? = nil,
    outputLength: Int?, outputInode: UInt64? = nil, columns: [Int], anchors: AnchorWatch? = nil
  ) -> Bool {
    let others = Array(devices.dropFirst())
    let state = Checkpoint(
      generation: generation + 1, device: devices.first?.name, tracker: devices.first?.tracker,
      others: others.isEmpty ? nil : others, outputLength: outputLength,
      outputInode: outputInode, columns: columns, anchors: anchors,
      rules: devices.isEmpty ? rules : nil, kinds: kinds?.map(\.rawValue).sorted())
    do {
      try Checkpoint.file.write(state, to: path)
      stateFailure = nil
    } catch {
      stateFailure = error.reason
      guard error.isInPlace else { return false }
    }
    generation += 1
    inputCount = 0
    beginJournal()
    return true
  }
}
