internal import Session
internal import System
internal import Traces
internal import Tracking

/// The state of all devices of a pipe in a file, from which a later process resumes.
///
/// The states are packed by the engine, so a file is valid for the same engine on the same kind of
/// machine with the same fences; other settings may change.
enum PipeState {
  /// Version 1 did not say from which input it is.
  static let file = ChecksummedFile("pipe", version: 2, oldest: 1)

  /// What follows the path of a state in the names of the files beside it.
  static let suffixes = WholeFile.suffixes + [".lock", ".previous", ".previous.new"]

  /// Locks a state, so that no other process reads it before this one has written it.
  ///
  /// A file that is no state is refused and stays as it is, and so does a folder that other users can
  /// change.
  static func lock(_ path: String) throws(PipeStateError) -> FileLock {
    do throws(FolderTrust.Violation) {
      try FolderTrust.check(Folder.parent(of: path))
    } catch {
      var reason = "cannot be used, so nothing was read or written: \(error)"
      if case .system = error { reason += "; make its folder, or name a file in another" }
      throw .refused(path: path, reason: reason)
    }
    for path in [path, previous(of: path)] where file.isForeign(path) {
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

  /// What a state says about the run that wrote it.
  struct Origin: Sendable, Hashable {
    /// The checksum of the state from which the run started; nil when there was none.
    var base: UInt64?
    /// The input of the run; nil in a state of version 1, which does not say.
    var input: PipeInputMark?
  }

  /// A state that was read.
  struct Saved: Sendable, Hashable {
    var origin: Origin
    /// Of its content; the next state names it as its base.
    var checksum: UInt64
  }

  /// The state from which the last run started, beside a state.
  static func previous(of path: String) -> String { path + ".previous" }

  /// Keeps the state at a path as the previous one; the next ``write`` replaces it.
  ///
  /// Both are on the disk before that, so a power cut leaves no state without its previous one.
  static func keepPrevious(_ path: String) throws(PipeStateError) {
    do throws(WholeFile.Failure) {
      try WholeFile.link(path, to: previous(of: path))
    } catch {
      throw .refused(path: previous(of: path), reason: "cannot be written: \(error.reason)")
    }
  }

  /// Replaces the file in one step.
  ///
  /// - Parameter records: Writes the devices, see ``append(_:_:to:)``.
  static func write(
    to path: String, rules: Rules, origin: Origin,
    _ records: (inout ChecksummedFile.Writer) throws(WholeFile.Failure) -> Void
  ) throws(PipeStateError) {
    do {
      try file.write(to: path) { (writer) throws(WholeFile.Failure) in
        try writer.append(head(rules: rules) + bytes(of: origin))
        try records(&writer)
      }
    } catch {
      throw .refused(path: path, reason: "cannot be written: \(error.reason)")
    }
  }

  /// The part before what is said about the run.
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

  /// The part between ``head(rules:)`` and the devices.
  static func bytes(of origin: Origin) -> [UInt8] {
    let input = origin.input ?? PipeInputMark()
    return bytes(of: origin.base == nil ? 0 : 1) + bytes(of: origin.base ?? 0)
      + bytes(of: input.length) + bytes(of: UInt64(input.checksum.value))
      + bytes(of: UInt64(input.start.count)) + input.start
  }

  private static func bytes(of number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }

  /// Differs between memory layouts of the engine's values.
  private static var machine: UInt64 { order | UInt64(Fleet.packingSize) }
  /// The order of the bytes of a number.
  private static var order: UInt64 { 0x0102_0304_0000_0000 }

  /// Whether states of a machine can be read.
  static func canRead(machine: UInt64) -> Bool {
    machine & ~0xFFFF_FFFF == order && Fleet.canUnpack(size: machine & 0xFFFF_FFFF)
  }
}

/// Why the state of a pipe cannot be used.
package enum PipeStateError: Error, CustomStringConvertible {
  /// The file is not a valid state.
  case unusable(path: String, reason: String)
  /// The input does not fit to the state.
  case otherInput(path: String, reason: String)
  /// Another process uses it.
  case inUse(path: String)
  /// The system does not allow to read or write it.
  case refused(path: String, reason: String)

  package var description: String {
    switch self {
    case .unusable(let path, let reason):
      "\(path): \(reason); to start over, name another file or delete this one"
    case .otherInput(let path, let reason): "\(path): \(reason)"
    case .inUse(let path):
      "\(path): in use by another waymark; wait until it ends, or name another file as the --state"
    case .refused(let path, let reason): "\(path): the state \(reason)"
    }
  }
}
