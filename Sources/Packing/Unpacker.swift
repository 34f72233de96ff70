/// Packed bytes are not a valid state.
public struct PackedStateError: Error {
  /// Makes the error.
  @inlinable public init() {}
}

/// Reads what a ``StateWriter`` wrote.
///
/// It rejects truncated bytes and impossible values, so damage is detected: from the first one on it is
/// not ``isValid`` any more, and reads zeros, and the last time for a time. So a state is read to its end and
/// checked once.
public struct Unpacker {
  /// Valid for the duration of the call that provided them.
  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var offset = 0
  /// Whether all that was read so far can be part of a state.
  public private(set) var isValid = true
  /// The time that was read last.
  private var time = PackedTime()

  /// Reads bytes from `withUnsafeBytes`; must not outlive that call.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all was read, and can be a state.
  public var isComplete: Bool { isValid && offset == bytes.count }

  /// Rejects the state: nothing is left to read.
  @usableFromInline mutating func reject() { (isValid, offset) = (false, bytes.count) }

  /// Reads an integer; 0 when too few bytes are left.
  @inlinable @inline(__always)
  public mutating func take<Bits: FixedWidthInteger & BitwiseCopyable>(_ type: Bits.Type) -> Bits {
    let end = offset &+ MemoryLayout<Bits>.size
    guard end <= bytes.count else {
      reject()
      return 0
    }
    defer { offset = end }
    return bytes.loadUnaligned(fromByteOffset: offset, as: Bits.self)
  }

  /// Reads a finite number: no other is part of a state.
  @inlinable @inline(__always)
  public mutating func take(_ type: Double.Type) -> Double {
    let number = Double(bitPattern: take(UInt64.self))
    if number.isFinite { return number }
    reject()
    return 0
  }

  /// Reads a finite number.
  @inlinable @inline(__always)
  public mutating func take(_ type: Float.Type) -> Float {
    let number = Float(bitPattern: take(UInt32.self))
    if number.isFinite { return number }
    reject()
    return 0
  }

  /// Reads finite numbers.
  @inlinable @inline(__always)
  public mutating func take(_ type: SIMD4<Float>.Type) -> SIMD4<Float> {
    let end = offset &+ MemoryLayout<SIMD4<UInt32>>.size
    guard end <= bytes.count else {
      reject()
      return SIMD4()
    }
    let bits = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
    guard all((bits & Self.exponent) .!= Self.exponent) else {
      reject()
      return SIMD4()
    }
    offset = end
    // Safe: both are four lanes of 32 bits, and every pattern of them is a float.
    return unsafeBitCast(bits, to: SIMD4<Float>.self)
  }

  /// The exponent bits: all are set in infinities and NaN.
  @inlinable static var exponent: SIMD4<UInt32> { SIMD4(repeating: 0x7F80_0000) }

  /// The valid counts: so far from the largest integer that counting on cannot overflow.
  @inlinable public static var possibleCounts: Range<Int> { 0..<(1 << 60) }

  /// Reads a count.
  @inlinable @inline(__always)
  public mutating func takeCount() -> Int {
    let count = takeNumber()
    if Self.possibleCounts.contains(count) { return count }
    reject()
    return 0
  }

  /// Reads a number from 0 on, of up to 63 bits.
  @inlinable @inline(__always)
  public mutating func takeNumber() -> Int {
    let byte = take(UInt8.self)
    return byte & 0x80 == 0 ? Int(byte) : takeNumber(after: byte)
  }

  /// Reads the rest of a number of more than one byte.
  @usableFromInline mutating func takeNumber(after first: UInt8) -> Int {
    var (number, shift, byte) = (Int(first & 0x7F), 7, first)
    while byte & 0x80 != 0 {
      byte = take(UInt8.self)
      guard shift < 63 else {
        reject()
        return 0
      }
      number |= Int(byte & 0x7F) << shift
      shift += 7
    }
    return isValid ? number : 0
  }

  /// Reads the number of elements that follow, each of at least one byte.
  @inlinable @inline(__always)
  public mutating func takeLength() -> Int {
    let count = takeCount()
    if count <= bytes.count - offset { return count }
    reject()
    return 0
  }

  /// Reads so many flags, the first one as the lowest bit.
  @inlinable @inline(__always)
  public mutating func takeFlags(_ count: Int) -> UInt8 {
    let flags = take(UInt8.self)
    if UInt(flags) >> UInt(count) == 0 { return flags }
    reject()
    return 0
  }

  /// Reads a time.
  public mutating func takeInstant() -> Int64 {
    let code = UInt64(UInt(bitPattern: takeNumber()))
    if PackedTime.isWhole(code) { return time.set(take(Int64.self)) }
    if let instant = time.next(code) { return instant }
    reject()
    return 0
  }
}
