internal import System

/// A part of a gazetteer's bytes, little-endian; bytes beyond its end read as 0.
///
/// So a malicious file gives wrong names, and nothing worse.
struct GazetteerBytes {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// A number at an offset; 0 when it is not within the bytes.
  @inline(__always)
  private func load<Number: FixedWidthInteger>(_ offset: Int, as type: Number.Type) -> Int {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<Number>.size else { return 0 }
    return Int(
      truncatingIfNeeded: Number(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)))
  }

  /// A number of 8 bits.
  @inline(__always)
  func byte(_ offset: Int) -> Int { load(offset, as: UInt8.self) }
  /// A number of 16 bits.
  @inline(__always)
  func short(_ offset: Int) -> Int { load(offset, as: UInt16.self) }
  /// A number of 32 bits.
  @inline(__always)
  func word(_ offset: Int) -> Int { load(offset, as: UInt32.self) }
  /// A number of 64 bits.
  @inline(__always)
  func long(_ offset: Int) -> UInt64 { UInt64(bitPattern: Int64(load(offset, as: UInt64.self))) }

  /// A part of these bytes; nil if it is not within them.
  func part(_ offset: Int, _ length: Int) -> GazetteerBytes? {
    guard offset >= 0, length >= 0, offset <= bytes.count, length <= bytes.count - offset else {
      return nil
    }
    return GazetteerBytes(UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)]))
  }

  /// A text: a byte for the length, then UTF-8.
  func text(_ offset: Int) -> String {
    guard let found = part(offset + 1, byte(offset)) else { return "" }
    return String(decoding: found.bytes, as: UTF8.self)
  }

  /// Whether the bytes begin with these characters.
  func begin(with mark: StaticString) -> Bool {
    count >= mark.utf8CodeUnitCount
      && (0..<mark.utf8CodeUnitCount).allSatisfy { byte($0) == mark.utf8Start[$0] }
  }

  /// FNV-1a over words of 8 bytes.
  var checksum: UInt64 {
    var hash = FNV1a()
    hash.add(words: bytes)
    return hash.value
  }

  /// The first number from `start` to `end` for which `isBehind` is true, as for all after it; else
  /// `end`.
  @inline(__always)
  func firstIndex(from start: Int, to end: Int, where isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (start, end)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Reads numbers of variable length in sequence.
struct GazetteerReader {
  private let bytes: GazetteerBytes
  private var offset: Int

  init(_ bytes: GazetteerBytes, at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  /// Whether it is past the last byte.
  var isAtEnd: Bool { offset >= bytes.count }

  /// A number with 7 bits per byte, lowest first (LEB128).
  @inline(__always)
  mutating func number() -> Int {
    let first = bytes.byte(offset)
    offset += 1
    guard first >= 128 else { return first }
    return rest(of: first)
  }

  /// The rest of a number of several bytes: at most five are read, 35 bits.
  private mutating func rest(of first: Int) -> Int {
    var (number, shift) = (first & 127, 7)
    while shift < 35 {
      let byte = bytes.byte(offset)
      offset += 1
      number |= (byte & 127) << shift
      guard byte >= 128 else { break }
      shift += 7
    }
    return number
  }

  /// A number with its sign in the lowest bit (zigzag).
  @inline(__always)
  mutating func signed() -> Int {
    let number = number()
    return number >> 1 ^ -(number & 1)
  }
}
