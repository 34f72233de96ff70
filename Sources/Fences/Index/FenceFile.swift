/// The head of a file of fences: which version it is, whether it is whole, and where its parts lie.
///
/// 40 words of 8 bytes in the order of the machine that wrote it: what the file is, version and
/// byte order, its size, the number of fences, the levels of cells, the sum of all that follows the
/// head, where each part begins and ends, the sum of the words so far, and zeroes. The parts are those of a
/// table in memory.
struct FenceFileHead {
  /// "waymarkF" where the lowest byte comes first.
  private static var magic: UInt64 { 0x466B_7261_6D79_6177 }
  fileprivate static var version: UInt64 { 2 }
  /// Other machines read it backwards.
  private static var order: UInt64 { 0x0102_0304 << 32 }
  private static var firstRange: Int { 6 }
  private static var sumWord: Int { firstRange + 2 * FenceSection.allCases.count }

  let layout: FenceLayout
  /// Of the bytes behind the head.
  let checksum: UInt64

  /// The head as it is written.
  var bytes: [UInt8] {
    var words = [
      Self.magic, Self.version | Self.order, UInt64(layout.size), UInt64(layout.count),
      UInt64(layout.levels), checksum,
    ]
    for range in layout.ranges {
      words += [UInt64(range.lowerBound), UInt64(range.upperBound)]
    }
    words.append(words.withUnsafeBytes { Checksum.of($0) })
    words += Array(repeating: 0, count: FenceLayout.headerSize / 8 - words.count)
    return words.withUnsafeBytes { Array($0) }
  }

  init(_ layout: FenceLayout, checksum: UInt64) {
    (self.layout, self.checksum) = (layout, checksum)
  }

  /// Reads the header of a file and validates it.
  ///
  /// What is checked: the mark, the byte order, the version, the sum of the head, the size, and
  /// that the parts lie in order, whole and at multiples of 64 bytes. The contents are not read:
  /// numbers in them are checked when they are used.
  ///
  /// - Throws: ``FenceFileError``, for the first of these that is wrong.
  /// - Complexity: O(1).
  init(_ bytes: UnsafeRawBufferPointer) throws(FenceFileError) {
    func word(_ index: Int) -> UInt64 {
      bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
    }
    guard bytes.count >= 8, word(0) == Self.magic || word(0) == Self.magic.byteSwapped else {
      throw .noFenceFile
    }
    guard word(0) == Self.magic else { throw .otherByteOrder }
    guard bytes.count >= FenceLayout.headerSize else {
      throw .truncated(size: bytes.count, wanted: nil)
    }
    guard word(1) & Self.order == Self.order, word(1) & ~Self.order == Self.version else {
      throw .otherVersion(Int(word(1) & 0xFFFF_FFFF))
    }
    let summed = UnsafeRawBufferPointer(rebasing: bytes[0..<Self.sumWord * 8])
    guard Checksum.of(summed) == word(Self.sumWord) else { throw .damagedHead }
    guard word(2) == bytes.count else {
      throw .truncated(size: bytes.count, wanted: Int(clamping: word(2)))
    }
    guard let layout = Self.layout(word, size: bytes.count) else { throw .damagedHead }
    self.init(layout, checksum: word(5))
  }

  private static func layout(_ word: (Int) -> UInt64, size: Int) -> FenceLayout? {
    guard let count = Int(exactly: word(3)), count <= FenceSet.greatestCount else { return nil }
    var ranges: [Range<Int>] = []
    var end = FenceLayout.headerSize
    for section in FenceSection.allCases {
      let first = firstRange + 2 * section.rawValue
      guard let lower = Int(exactly: word(first)), let upper = Int(exactly: word(first + 1)),
        lower >= end, lower <= upper, upper <= size, lower % FenceLayout.alignment == 0,
        section.wantedSize(count: count).map({ $0 == upper - lower }) ?? true
      else { return nil }
      ranges.append(lower..<upper)
      end = upper
    }
    return FenceLayout(
      count: count, levels: UInt8(truncatingIfNeeded: word(4)), ranges: ranges)
  }
}

extension FenceSection {
  /// The bytes of a part that has so many for every fence; nil for the others.
  fileprivate func wantedSize(count: Int) -> Int? {
    switch self {
    case .places: count * MemoryLayout<PlaceRecord>.stride
    case .reaches, .settingsOfFences, .idEnds: count * 4
    default: nil
    }
  }
}

/// Why a file of compiled fences cannot be used.
public enum FenceFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It is something else.
  case noFenceFile
  /// A machine with the other byte order wrote it.
  case otherByteOrder
  /// It has an unknown version.
  case otherVersion(Int)
  /// It has fewer or more bytes than its header states.
  case truncated(size: Int, wanted: Int?)
  /// The checksum of its header is wrong.
  case damagedHead
  /// The checksum of its contents is wrong.
  case damagedContents

  /// One sentence: the error and how to correct it.
  public var description: String {
    switch self {
    case .noFenceFile: "this is not a file of compiled fences: make one with 'waymark compile'"
    case .otherByteOrder:
      "these fences were compiled on a machine with another byte order: compile them on this one"
    case .otherVersion(let version):
      "these fences are of version \(version) of the format, not \(FenceFileHead.version): "
        + "compile them again"
    case .truncated(let size, let wanted):
      "the file has \(size) bytes, not \(wanted.map { "\($0)" } ?? "a whole head"): "
        + "it is incomplete, so compile the fences again"
    case .damagedHead, .damagedContents:
      "the file is damaged (its checksum is wrong): compile the fences again"
    }
  }
}

/// The checksum of fence files: four lanes of words, multiplied and rotated.
enum Checksum {
  /// The checksum of some bytes.
  ///
  /// It takes FNV's prime over words of 8 bytes in four lanes, then mixed into one number. It finds
  /// damage and is no protection against an attacker.
  ///
  /// - Complexity: O(bytes).
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var lanes = SIMD4<UInt64>(1, 2, 3, 4) &* 0x9E37_79B9_7F4A_7C15
    let whole = bytes.count / 32
    for block in 0..<whole {
      var words = SIMD4<UInt64>()
      for lane in 0..<4 {
        words[lane] = bytes.loadUnaligned(
          fromByteOffset: block * 32 + lane * 8, as: UInt64.self)
      }
      lanes = (lanes ^ words) &* 0x100_0000_01B3
      lanes ^= lanes &>> 29
    }
    var sum = UInt64(bytes.count)
    for lane in 0..<4 { sum = Hash.of(sum ^ lanes[lane]) }
    for index in (whole * 32)..<bytes.count { sum = Hash.of(sum ^ UInt64(bytes[index])) }
    return sum
  }
}
