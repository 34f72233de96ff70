internal import Session
internal import System
internal import Traces
internal import Tracking

/// A state of a pipe that is read: what it says about its run, then device by device.
struct PipeStateFile {
  let saved: PipeState.Saved
  private let path: String
  private var reader: ChecksummedFile.Reader

  /// Opens and checks a file; nil when there is none.
  init?(_ path: String, rules: Rules) throws(PipeStateError) {
    self.path = path
    do throws(ChecksummedFile.ReadError) {
      reader = try ChecksummedFile.Reader(PipeState.file, path: path)
      saved = PipeState.Saved(
        origin: try Self.readHead(&reader, rules), checksum: reader.checksum)
    } catch {
      if case .missing = error { return nil }
      throw Self.error(error, path)
    }
  }

  /// Reads the devices.
  ///
  /// - Parameter resume: Gets a device's name and packed state, and returns whether the state is
  ///   valid.
  consuming func forEachDevice(
    _ resume: (String, [UInt8]) -> Bool
  ) throws(PipeStateError) {
    do throws(ChecksummedFile.ReadError) {
      var (name, state): ([UInt8], [UInt8]) = ([], [])
      while reader.rest > 0 {
        guard try Self.takePart(&reader, &name), try Self.takePart(&reader, &state) else {
          throw .unusable("it is damaged")
        }
        let device = String(decoding: name, as: UTF8.self)
        guard resume(device, state) else {
          throw .unusable("the state of '\(device)' in it is invalid")
        }
      }
    } catch {
      throw Self.error(error, path)
    }
  }

  private static func error(_ error: ChecksummedFile.ReadError, _ path: String) -> PipeStateError {
    switch error {
    case .missing: .unusable(path: path, reason: "it is missing")
    case .unusable(let reason), .newer(let reason): .unusable(path: path, reason: reason)
    case .unreadable(let reason): .refused(path: path, reason: "cannot be read: \(reason)")
    }
  }

  // MARK: Parts

  private static func readHead(
    _ reader: inout ChecksummedFile.Reader, _ rules: Rules
  ) throws(ChecksummedFile.ReadError) -> PipeState.Origin {
    guard let machine = try takeNumber(&reader), PipeState.canRead(machine: machine) else {
      throw .unusable("it is from another kind of machine or another engine")
    }
    guard try takeNumber(&reader) == rules.fences.fingerprint else {
      throw .unusable("it is from other fences: their ids, areas or decisions differ")
    }
    guard reader.version > 1 else { return PipeState.Origin() }
    var start: [UInt8] = []
    guard let hasBase = try takeNumber(&reader), hasBase < 2, let base = try takeNumber(&reader),
      let length = try takeNumber(&reader),
      let checksum = try takeNumber(&reader).flatMap({ UInt32(exactly: $0) }),
      try takePart(&reader, &start),
      start.count == min(length, UInt64(PipeInputMark.longestStart))
    else { throw .unusable("it is damaged") }
    return PipeState.Origin(
      base: hasBase == 1 ? base : nil,
      input: PipeInputMark(start: start, length: length, checksum: CRC32(value: checksum)))
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
