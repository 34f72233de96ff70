/// Writes the state of a device as few bytes, which an ``Unpacker`` reads.
///
/// The storage is reused. Numbers are in the byte order of the machine, so packing costs little more
/// than copying; the bytes can be read on machines of the same byte order only.
public struct Packer: Sendable {
  @usableFromInline var storage = [UInt8](repeating: 0, count: 512)
  /// How many bytes were written.
  @usableFromInline var count = 0
  /// The time that was written last.
  private var time = PackedTime()

  /// Nothing is written yet.
  public init() {}

  /// What was written.
  @inlinable public var bytes: ArraySlice<UInt8> { storage[..<count] }

  /// Forgets what was written.
  public mutating func clear() { (count, time) = (0, PackedTime()) }

  /// Writes a value as it lies in memory; its type must have no padding.
  @inlinable @inline(__always)
  public mutating func put<Value: BitwiseCopyable>(_ value: Value) {
    let end = count + MemoryLayout<Value>.size
    if end > storage.count { storage += [UInt8](repeating: 0, count: max(end, storage.count)) }
    storage.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: count, as: Value.self) }
    count = end
  }

  /// Writes a number from 0 on, seven bits a byte.
  @inlinable @inline(__always)
  public mutating func put(count number: Int) {
    var rest = UInt(bitPattern: number)
    while rest > 0x7F {
      put(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a time, in few bytes when it is near the one before, as most times of a state are.
  public mutating func put(instant next: Int64) {
    let (code, rest) = time.code(next)
    put(count: Int(bitPattern: UInt(code)))
    if let rest { put(rest) }
  }
}

/// Packed bytes are not a valid state.
public struct PackedStateError: Error {
  /// Makes the error.
  @inlinable public init() {}
}

/// Reads what a ``Packer`` wrote.
///
/// It rejects truncated bytes and impossible values, so damage is detected.
public struct Unpacker {
  /// Valid for the duration of the call that provided it.
  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var offset = 0
  /// The time that was read last.
  private var time = PackedTime()

  /// Reads bytes from `withUnsafeBytes`; must not outlive that call.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all was read.
  @inlinable public var isAtEnd: Bool { offset == bytes.count }

  /// Reads a value of a type for which all bit patterns are valid.
  @inlinable @inline(__always)
  public mutating func take<Value: BitwiseCopyable>(_ type: Value.Type) throws(PackedStateError)
    -> Value
  {
    let size = MemoryLayout<Value>.size
    guard bytes.count - offset >= size else { throw PackedStateError() }
    defer { offset += size }
    return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
  }

  /// Reads a finite number: no other is part of a state.
  @inlinable @inline(__always)
  public mutating func take(_ type: Double.Type) throws(PackedStateError) -> Double {
    let number = Double(bitPattern: try take(UInt64.self))
    guard number.isFinite else { throw PackedStateError() }
    return number
  }

  /// Reads a finite number.
  @inlinable @inline(__always)
  public mutating func take(_ type: Float.Type) throws(PackedStateError) -> Float {
    let number = Float(bitPattern: try take(UInt32.self))
    guard number.isFinite else { throw PackedStateError() }
    return number
  }

  /// Reads finite numbers.
  @inlinable @inline(__always)
  public mutating func take(_ type: SIMD4<Float>.Type) throws(PackedStateError) -> SIMD4<Float> {
    let bits = try take(SIMD4<UInt32>.self)
    guard all((bits & Self.exponent) .!= Self.exponent) else { throw PackedStateError() }
    return SIMD4(
      Float(bitPattern: bits[0]), Float(bitPattern: bits[1]), Float(bitPattern: bits[2]),
      Float(bitPattern: bits[3]))
  }

  /// The exponent bits: all are set in infinities and NaN.
  @inlinable static var exponent: SIMD4<UInt32> { SIMD4(repeating: 0x7F80_0000) }

  /// The valid counts: so far from the largest integer that counting on cannot overflow.
  @inlinable public static var possibleCounts: Range<Int> { 0..<(1 << 60) }

  /// Reads a count.
  @inlinable @inline(__always)
  public mutating func takeCount() throws(PackedStateError) -> Int {
    let count = try takeNumber()
    guard Self.possibleCounts.contains(count) else { throw PackedStateError() }
    return count
  }

  /// Reads a number from 0 on.
  @inlinable @inline(__always)
  public mutating func takeNumber() throws(PackedStateError) -> Int {
    var (number, shift) = (0, 0)
    while true {
      let byte = try take(UInt8.self)
      guard shift < 63 else { throw PackedStateError() }
      number |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return number }
      shift += 7
    }
  }

  /// Reads the number of elements that follow, each of at least one byte.
  public mutating func takeLength() throws(PackedStateError) -> Int {
    let count = try takeCount()
    guard count <= bytes.count - offset else { throw PackedStateError() }
    return count
  }

  /// Reads so many flags, the first one as the lowest bit.
  @inlinable @inline(__always)
  public mutating func takeFlags(_ count: Int) throws(PackedStateError) -> UInt8 {
    let flags = try take(UInt8.self)
    guard flags >> UInt8(count) == 0 else { throw PackedStateError() }
    return flags
  }

  /// Reads a time.
  public mutating func takeInstant() throws(PackedStateError) -> Int64 {
    let code = UInt64(UInt(bitPattern: try takeNumber()))
    if PackedTime.isWhole(code) { return time.set(try take(Int64.self)) }
    guard let instant = time.next(code) else { throw PackedStateError() }
    return instant
  }
}
