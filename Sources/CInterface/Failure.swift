internal import Glibc

/// What a caller did wrong.
struct Misuse: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Runs the body of a function of the library, and returns its error as a text of the caller.
func reporting(_ body: () throws -> Void) -> UnsafeMutablePointer<CChar>? {
  do {
    try body()
    return nil
  } catch {
    return Given.text("\(error)".split(whereSeparator: \.isNewline).joined(separator: "; "))
  }
}

/// Memory for the caller, who frees it with `waymark_free`.
enum Given {
  static func text(_ text: String) -> UnsafeMutablePointer<CChar> {
    // A zero in a text would end it.
    self.text(Array(text.utf8.map { $0 == 0 ? UInt8(ascii: " ") : $0 }))
  }

  /// The bytes, and a zero after them.
  static func text(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
    let memory = allocate(bytes + [0], alignment: 1)
    return memory.assumingMemoryBound(to: CChar.self)
  }

  /// A copy of values in memory of their own.
  static func allocate<Value: BitwiseCopyable>(
    _ values: [Value], alignment: Int = 64
  ) -> UnsafeMutableRawPointer {
    let size = max(values.count * MemoryLayout<Value>.stride, 1)
    let rounded = (size + alignment - 1) / alignment * alignment
    let memory = alignment > 16 ? aligned_alloc(alignment, rounded) : malloc(size)
    guard let memory else { preconditionFailure("out of memory") }
    values.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { memory.copyMemory(from: base, byteCount: bytes.count) }
    }
    return memory
  }
}

/// Objects of ours as pointers of the caller.
enum Handle {
  static func make(_ object: AnyObject) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  static func object<Object: AnyObject>(
    _ pointer: OpaquePointer?, _ name: String
  ) throws(Misuse) -> Object {
    guard let pointer else { throw Misuse("\(name) is NULL") }
    return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  static func release(_ pointer: OpaquePointer?) {
    guard let pointer else { return }
    Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }
}

/// The target of a pointer that must not be null.
func target<Value>(
  _ pointer: UnsafeMutablePointer<Value>?, _ name: String
) throws(Misuse) -> UnsafeMutablePointer<Value> {
  guard let pointer else { throw Misuse("\(name) is NULL") }
  return pointer
}
