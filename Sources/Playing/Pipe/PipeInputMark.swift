internal import Traces

/// Identifies the input of a run, so that the next run knows whether it gets the same input again.
///
/// It holds the number of bytes, their checksum, and the first of them: the input itself may be a pipe,
/// which has no name and cannot be read twice.
struct PipeInputMark: Sendable, Hashable {
  /// The first bytes.
  private(set) var start: [UInt8]
  /// The number of bytes, unpacked.
  private(set) var length: UInt64
  private(set) var checksum: CRC32

  /// The most bytes in ``start``: more than the header of a table, so they hold the times of fixes.
  static let longestStart = 16 << 10

  init(start: [UInt8] = [], length: UInt64 = 0, checksum: CRC32 = CRC32()) {
    self.start = start
    self.length = length
    self.checksum = checksum
  }

  /// Adds the next bytes of the input.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    start += bytes.prefix(Self.longestStart - start.count)
    length += UInt64(bytes.count)
    bytes.withUnsafeBytes { checksum.add($0) }
  }
}

/// Follows an input that begins as the input of an earlier run, and finds out whether it goes on so.
struct PipeInputRepetition: Sendable {
  /// How the input compares with the earlier one.
  enum Outcome: Sendable, Hashable {
    /// The bytes so far are too few to know.
    case undecided
    /// All of the earlier one's bytes came again; more may have followed.
    case same
    case different
  }

  private(set) var outcome = Outcome.undecided
  private let earlier: PipeInputMark
  private var length: UInt64 = 0
  private var checksum = CRC32()

  init(of earlier: PipeInputMark) { self.earlier = earlier }

  /// Adds the next bytes of the input.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    guard outcome == .undecided else { return }
    let rest = earlier.length - length
    let part = bytes.prefix(Int(clamping: rest))
    part.withUnsafeBytes { checksum.add($0) }
    length += UInt64(part.count)
    if length == earlier.length { outcome = checksum == earlier.checksum ? .same : .different }
  }
}
