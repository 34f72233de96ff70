/// Packs the states of devices as few bytes, one after the other, in memory that is used again.
public struct Packer: Sendable {
  private var storage = [UInt8](repeating: 0, count: 1_024)
  private var count = 0

  /// Nothing is packed yet.
  public init() {}

  /// What was packed last.
  public var bytes: ArraySlice<UInt8> { storage[..<count] }

  /// Packs what `body` writes.
  ///
  /// - Parameter body: Is called again if it wrote more than there was room for, so it must write the same
  ///   each time.
  public mutating func pack(_ body: (inout StateWriter) -> Void) {
    count = write(body)
    guard count > storage.count else { return }
    storage += [UInt8](repeating: 0, count: max(count - storage.count, storage.count))
    count = write(body)
  }

  /// The number of bytes that `body` writes, of which only those are written for which there is room.
  private mutating func write(_ body: (inout StateWriter) -> Void) -> Int {
    storage.withUnsafeMutableBytes { memory in
      var writer = StateWriter(memory)
      body(&writer)
      return writer.count
    }
  }
}

/// Writes the fields of a state, which an ``Unpacker`` reads.
///
/// Numbers are in the byte order of the machine, so packing costs little more than copying; the bytes
/// can be read on machines of the same byte order only.
public struct StateWriter {
  /// Valid for the duration of the call that provided it.
  @usableFromInline let memory: UnsafeMutableRawBufferPointer
  /// How many bytes were to be written; those beyond the memory were not.
  @usableFromInline var count = 0
  /// The time that was written last.
  private var time = PackedTime()

  fileprivate init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  /// Writes a value as it lies in memory; its type must have no padding.
  @inlinable @inline(__always)
  public mutating func put<Value: BitwiseCopyable>(_ value: Value) {
    let end = count &+ MemoryLayout<Value>.size
    if end <= memory.count { memory.storeBytes(of: value, toByteOffset: count, as: Value.self) }
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
