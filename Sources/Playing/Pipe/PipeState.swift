internal import Session
internal import System
internal import Tracking

/// The state of all devices of a pipe in a file, from which a later process resumes.
///
/// The states are packed by the engine, so a file is valid for the same engine on the same kind of
/// machine with the same fences; other settings may change.
enum PipeState {
  private static let file = ChecksummedFile("pipe", version: 1)

  /// What follows the path of a state in the names of the files beside it.
  static let suffixes = WholeFile.suffixes + [".lock"]

  /// Locks a state, so that no other process reads it before this one has written it.
  ///
  /// A file that is no state is refused and stays as it is, and so does a folder that other users can
  /// change.
  static func lock(_ path: String) throws(PipeStateError) -> FileLock {
    do throws(FolderTrust.Violation) {
      try FolderTrust.check(Folder.parent(of: path))
    } catch {
      throw .refused(path: path, reason: "is not used: \(error)")
    }
    guard !file.isForeign(path) else {
      throw .unusable(path: path, reason: "not a waymark pipe file")
    }
    do throws(FileLock.Failure) {
      return try FileLock(path + ".lock")
    } catch {
      switch error {
      case .held: throw .inUse(path: path)
      case .refused(let failure):
        throw .refused(path: path, reason: "cannot be locked: \(failure.reason)")
      }
    }
  }

  /// Reads a file, device by device; a missing file has no devices.
  ///
  /// - Parameter resume: Gets a device's name and packed state, and returns whether the state is
  ///   valid.
  static func read(
    _ path: String, rules: Rules, _ resume: (String, [UInt8]) -> Bool
  ) throws(PipeStateError) {
    do throws(ChecksummedFile.ReadError) {
      var reader = try ChecksummedFile.Reader(file, path: path)
      try read(&reader, rules, resume)
    } catch {
      switch error {
      case .missing: return
      case .unusable(let reason), .newer(let reason):
        throw .unusable(path: path, reason: reason)
      case .unreadable(let reason): throw .refused(path: path, reason: "cannot be read: \(reason)")
      }
    }
  }

  private static func read(
    _ reader: inout ChecksummedFile.Reader, _ rules: Rules, _ resume: (String, [UInt8]) -> Bool
  ) throws(ChecksummedFile.ReadError) {
    guard try takeNumber(&reader) == machine else {
      throw .unusable("it is from another kind of machine or another engine")
    }
    guard try takeNumber(&reader) == rules.fences.fingerprint else {
      throw .unusable("it is from other fences: their ids, areas or decisions differ")
    }
    var (name, state): ([UInt8], [UInt8]) = ([], [])
    while reader.rest > 0 {
      guard try takePart(&reader, &name), try takePart(&reader, &state) else {
        throw .unusable("it is damaged")
      }
      let device = String(decoding: name, as: UTF8.self)
      guard resume(device, state) else {
        throw .unusable("the state of '\(device)' in it is invalid")
      }
    }
  }

  /// Replaces the file in one step.
  ///
  /// - Parameter records: Writes the devices, see ``append(_:_:to:)``.
  static func write(
    to path: String, rules: Rules,
    _ records: (inout ChecksummedFile.Writer) throws(WholeFile.Failure) -> Void
  ) throws(PipeStateError) {
    do {
      try file.write(to: path) { (writer) throws(WholeFile.Failure) in
        try writer.append(head(rules: rules))
        try records(&writer)
      }
    } catch {
      throw .refused(path: path, reason: "cannot be written: \(error.reason)")
    }
  }

  /// The part before the devices.
  static func head(rules: Rules) -> [UInt8] {
    bytes(of: machine) + bytes(of: rules.fences.fingerprint)
  }

  /// Appends a device to `body`.
  static func append(_ device: String, _ state: UnsafeRawBufferPointer, to body: inout [UInt8]) {
    body += bytes(of: UInt64(device.utf8.count))
    body += device.utf8
    body += bytes(of: UInt64(state.count))
    body += state
  }

  // MARK: Bytes

  /// Differs between memory layouts of the engine's values.
  private static var machine: UInt64 { 0x0102_0304_0000_0000 | UInt64(Fleet.packingSize) }

  private static func bytes(of number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }

  private static func takeNumber(
    _ reader: inout ChecksummedFile.Reader
  ) throws(ChecksummedFile.ReadError) -> UInt64? {
    var bytes: [UInt8] = []
    guard try reader.read(8, into: &bytes) else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }

  private static func takePart(
    _ reader: inout ChecksummedFile.Reader, _ part: inout [UInt8]
  ) throws(ChecksummedFile.ReadError) -> Bool {
    guard let length = try takeNumber(&reader).flatMap({ Int(exactly: $0) }) else { return false }
    return try reader.read(length, into: &part)
  }
}

/// Why the state of a pipe cannot be used.
package enum PipeStateError: Error, CustomStringConvertible {
  /// The file is not a valid state.
  case unusable(path: String, reason: String)
  /// Another process uses it.
  case inUse(path: String)
  /// The system does not allow to read or write it.
  case refused(path: String, reason: String)

  package var description: String {
    switch self {
    case .unusable(let path, let reason):
      "\(path): \(reason); to start over, name another file or delete this one"
    case .inUse(let path):
      "\(path): in use by another waymark; wait until it ends, or name another file as the --state"
    case .refused(let path, let reason): "\(path): the state \(reason)"
    }
  }
}
