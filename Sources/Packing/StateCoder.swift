public import Geodesy

/// Writes or reads the fields of a state.
///
/// Each type names its stored fields in one function, `code`, which serves both ways: a ``StateWriter``
/// writes every field that it is given, an ``Unpacker`` replaces it. A writer changes nothing. A reader
/// of bytes that are no state goes on with zeros, and ``Unpacker/isValid`` says so: errors that are thrown
/// would have to be checked after every field.
///
/// All of it is public and inlinable: the compiler never inlines a `package` function of another module,
/// and a state has hundreds of fields. The target is part of no library, so this promises nothing.
public protocol StateCoder {
  /// Whether fields are replaced.
  static var isReading: Bool { get }
  /// Whether all that was coded so far can be a state; a writer's is one.
  var isValid: Bool { get }

  /// A finite number; no other is part of a state.
  mutating func code(_ number: inout Double)
  mutating func code(_ number: inout Float)
  mutating func code(_ numbers: inout SIMD4<Float>)
  /// An integer as it lies in memory.
  mutating func code<Bits: FixedWidthInteger & BitwiseCopyable>(bits: inout Bits)
  /// A count from 0 on, seven bits a byte.
  mutating func code(count: inout Int)
  /// The number of elements that follow, each of at least one byte.
  mutating func code(length: inout Int)
  /// An instant by its nanoseconds, near the one before in few bytes.
  mutating func code(instant nanoseconds: inout Int64)
  /// So many flags, the first one as the lowest bit.
  mutating func code(flags: inout UInt8, count: Int)

  /// Rejects the state when the condition is false; a writer does not evaluate it.
  mutating func require(_ condition: @autoclosure () -> Bool)
}

/// A part of a state that is coded without other parts.
public protocol Packable {
  /// A value of which reading replaces every field.
  static var blank: Self { get }

  /// Writes or reads every stored field.
  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  )
}

extension StateWriter: StateCoder {
  /// Fields are written.
  @inlinable public static var isReading: Bool { false }
  /// What is written is a state.
  @inlinable public var isValid: Bool { true }

  /// Writes a finite number.
  @inlinable @inline(__always) public mutating func code(_ number: inout Double) { put(number) }
  /// Writes a finite number.
  @inlinable @inline(__always) public mutating func code(_ number: inout Float) { put(number) }
  /// Writes four finite numbers.
  @inlinable @inline(__always)
  public mutating func code(_ numbers: inout SIMD4<Float>) { put(numbers) }
  /// Writes an integer as it lies in memory.
  @inlinable @inline(__always)
  public mutating func code<Bits: FixedWidthInteger & BitwiseCopyable>(bits: inout Bits) {
    put(bits)
  }
  /// Writes a count from 0 on.
  @inlinable @inline(__always) public mutating func code(count: inout Int) { put(count: count) }
  /// Writes the number of elements that follow.
  @inlinable @inline(__always) public mutating func code(length: inout Int) { put(count: length) }
  /// Writes an instant by its nanoseconds.
  @inlinable @inline(__always)
  public mutating func code(instant nanoseconds: inout Int64) { put(instant: nanoseconds) }
  /// Writes so many flags.
  @inlinable @inline(__always) public mutating func code(flags: inout UInt8, count: Int) {
    put(flags)
  }
  /// Does nothing: what is written is a state.
  @inlinable @inline(__always) public mutating func require(_ condition: @autoclosure () -> Bool) {}
}

extension Unpacker: StateCoder {
  /// Fields are replaced.
  @inlinable public static var isReading: Bool { true }

  /// Reads a finite number.
  @inlinable @inline(__always)
  public mutating func code(_ number: inout Double) {
    number = take(Double.self)
  }

  /// Reads a finite number.
  @inlinable @inline(__always)
  public mutating func code(_ number: inout Float) {
    number = take(Float.self)
  }

  /// Reads four finite numbers.
  @inlinable @inline(__always)
  public mutating func code(_ numbers: inout SIMD4<Float>) {
    numbers = take(SIMD4<Float>.self)
  }

  /// Reads an integer as it lies in memory.
  @inlinable @inline(__always)
  public mutating func code<Bits: FixedWidthInteger & BitwiseCopyable>(
    bits: inout Bits
  ) {
    bits = take(Bits.self)
  }

  /// Reads a count from 0 on.
  @inlinable @inline(__always)
  public mutating func code(count: inout Int) { count = takeCount() }

  /// Reads the number of elements that follow.
  @inlinable @inline(__always)
  public mutating func code(length: inout Int) {
    length = takeLength()
  }

  /// Reads an instant by its nanoseconds.
  @inlinable @inline(__always)
  public mutating func code(instant nanoseconds: inout Int64) {
    nanoseconds = takeInstant()
  }

  /// Reads so many flags.
  @inlinable @inline(__always)
  public mutating func code(flags: inout UInt8, count: Int) {
    flags = takeFlags(count)
  }

  /// Rejects the state when the condition is false.
  @inlinable @inline(__always)
  public mutating func require(_ condition: @autoclosure () -> Bool) {
    if !condition() { reject() }
  }
}

// MARK: - Flags

extension StateCoder {
  /// Writes or reads a flag.
  @inlinable @inline(__always)
  public mutating func code(flags a: inout Bool) {
    var bits: UInt8 = a ? 1 : 0
    code(flags: &bits, count: 1)
    if Self.isReading { a = bits == 1 }
  }

  /// Writes or reads flags in one byte.
  @inlinable @inline(__always)
  public mutating func code(flags a: inout Bool, _ b: inout Bool) {
    var bits: UInt8 = (a ? 1 : 0) | (b ? 2 : 0)
    code(flags: &bits, count: 2)
    if Self.isReading { (a, b) = (bits & 1 != 0, bits & 2 != 0) }
  }

  /// Writes or reads flags in one byte.
  @inlinable @inline(__always)
  public mutating func code(flags a: inout Bool, _ b: inout Bool, _ c: inout Bool) {
    var bits: UInt8 = (a ? 1 : 0) | (b ? 2 : 0) | (c ? 4 : 0)
    code(flags: &bits, count: 3)
    if Self.isReading { (a, b, c) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0) }
  }

  /// Writes or reads flags in one byte.
  @inlinable @inline(__always)
  public mutating func code(
    flags a: inout Bool, _ b: inout Bool, _ c: inout Bool, _ d: inout Bool
  ) {
    var bits: UInt8 = (a ? 1 : 0) | (b ? 2 : 0) | (c ? 4 : 0) | (d ? 8 : 0)
    code(flags: &bits, count: 4)
    guard Self.isReading else { return }
    (a, b, c, d) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0, bits & 8 != 0)
  }

  /// Writes or reads flags in one byte.
  @inlinable @inline(__always)
  public mutating func code(
    flags a: inout Bool, _ b: inout Bool, _ c: inout Bool, _ d: inout Bool, _ e: inout Bool
  ) {
    let (low, middle): (UInt8, UInt8) = ((a ? 1 : 0) | (b ? 2 : 0), (c ? 4 : 0) | (d ? 8 : 0))
    var bits: UInt8 = low | middle | (e ? 16 : 0)
    code(flags: &bits, count: 5)
    guard Self.isReading else { return }
    (a, b, c) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
    (d, e) = (bits & 8 != 0, bits & 16 != 0)
  }

  /// Writes or reads flags in one byte.
  @inlinable @inline(__always)
  public mutating func code(
    flags a: inout Bool, _ b: inout Bool, _ c: inout Bool, _ d: inout Bool, _ e: inout Bool,
    _ f: inout Bool, _ g: inout Bool, _ h: inout Bool
  ) {
    let (low, middle): (UInt8, UInt8) = ((a ? 1 : 0) | (b ? 2 : 0), (c ? 4 : 0) | (d ? 8 : 0))
    let (high, top): (UInt8, UInt8) = ((e ? 16 : 0) | (f ? 32 : 0), (g ? 64 : 0) | (h ? 128 : 0))
    var bits: UInt8 = low | middle | high | top
    code(flags: &bits, count: 8)
    guard Self.isReading else { return }
    (a, b, c) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
    (d, e) = (bits & 8 != 0, bits & 16 != 0)
    (f, g, h) = (bits & 32 != 0, bits & 64 != 0, bits & 128 != 0)
  }
}

// MARK: - Values of the engine

extension StateCoder {
  /// Writes or reads a value.
  @inlinable @inline(__always)
  public mutating func code<Value: Packable>(_ value: inout Value) {
    Value.code(&value, &self)
  }

  /// Writes or reads an optional value; the caller codes whether there is one.
  @inlinable @inline(__always)
  public mutating func code<Value: Packable>(_ value: inout Value?, if isThere: Bool) {
    guard isThere else {
      if Self.isReading { value = nil }
      return
    }
    var known = Self.isReading ? .blank : value ?? .blank
    Value.code(&known, &self)
    if Self.isReading { value = known }
  }

  /// Writes or reads an optional value after a flag.
  @inlinable @inline(__always)
  public mutating func code<Value: Packable>(optional value: inout Value?) {
    var isThere = value != nil
    code(flags: &isThere)
    code(&value, if: isThere)
  }

  /// Writes or reads elements after their number.
  @inlinable @inline(__always)
  public mutating func code<Element: Packable>(_ array: inout [Element]) {
    var length = array.count
    code(length: &length)
    code(elements: length, of: &array)
  }

  /// Writes or reads elements without their number; reading reuses the storage of the array.
  @inlinable @inline(__always)
  public mutating func code<Element: Packable>(
    elements count: Int, of array: inout [Element]
  ) {
    if Self.isReading {
      if !array.isEmpty { array.removeAll(keepingCapacity: true) }
      for _ in 0..<count {
        var element = Element.blank
        Element.code(&element, &self)
        // Elements take more memory than the bytes that promise them.
        guard isValid else { break }
        array.append(element)
      }
    } else {
      // Copies: changing elements in place would copy an array that shares its storage.
      for var element in array.prefix(count) { Element.code(&element, &self) }
    }
  }

  /// Writes or reads a number, in four bytes when `isShort`.
  @inlinable @inline(__always)
  public mutating func code(_ number: inout Double, isShort: Bool) {
    guard isShort else { return code(&number) }
    var short = Float(number)
    code(&short)
    if Self.isReading { number = Double(short) }
  }

  /// Writes or reads a vector.
  @inlinable @inline(__always)
  public mutating func code(_ vector: inout Vector) {
    code(&vector.x)
    code(&vector.y)
  }

  /// Writes or reads a flat map by its origin; the caller codes whether there is one.
  ///
  /// - Parameter other: A map that often has the same origin: making one takes sines and cosines.
  @inlinable public mutating func code(
    _ map: inout LocalFrame?, if isThere: Bool, like other: LocalFrame? = nil
  ) {
    var origin = map?.origin
    code(&origin, if: isThere)
    guard Self.isReading else { return }
    map = origin == other?.origin ? other : origin.map { LocalFrame(origin: $0) }
  }
}

extension Double: Packable {
  /// A value of which reading replaces all.
  @inlinable public static var blank: Double { 0 }

  /// Writes or reads the number.
  @inlinable @inline(__always)
  public static func code<Coder: StateCoder>(
    _ value: inout Double, _ coder: inout Coder
  ) {
    coder.code(&value)
  }
}

extension Float: Packable {
  /// A value of which reading replaces all.
  @inlinable public static var blank: Float { 0 }

  /// Writes or reads the number.
  @inlinable @inline(__always)
  public static func code<Coder: StateCoder>(
    _ value: inout Float, _ coder: inout Coder
  ) {
    coder.code(&value)
  }
}

/// A count.
extension Int: Packable {
  /// A value of which reading replaces all.
  @inlinable public static var blank: Int { 0 }

  /// Writes or reads the count.
  @inlinable @inline(__always)
  public static func code<Coder: StateCoder>(
    _ value: inout Int, _ coder: inout Coder
  ) {
    coder.code(count: &value)
  }
}

/// Only a position on Earth is read.
extension Coordinate: Packable {
  /// A value of which reading replaces all.
  @inlinable public static var blank: Coordinate { Coordinate(latitude: 0, longitude: 0) }

  /// Writes or reads the position, which must be one on Earth.
  @inlinable @inline(__always)
  public static func code<Coder: StateCoder>(
    _ value: inout Coordinate, _ coder: inout Coder
  ) {
    coder.code(&value.latitude)
    coder.code(&value.longitude)
    guard Coder.isReading, !value.isValid else { return }
    coder.require(false)
    value = .blank
  }
}
