@_implementationOnly import CZlib

/// Decompresses gzip, one member after the other, with zlib.
///
/// A track compresses to a tenth of its size, that of a receiver at rest to a fiftieth. Data that
/// expand to much more are a decompression bomb.
struct Inflater: ~Copyable {
  enum State {
    case bytes(Int)
    case needsInput
    case end
    case damaged(String)
  }

  /// The stream of zlib, which keeps its address, so it must not move.
  ///
  /// It is stored without its type, which code that imports this module does not know.
  private let memory: UnsafeMutableRawPointer
  private var input: [UInt8]
  private var used = 0
  private var filled: Int
  private var isInMember = true
  private var isInputOver = false
  /// Bytes so far, compressed and decompressed.
  private var (taken, given) = (0, 0)
  /// The bytes of which the compressed data was unpacked itself.
  private let packed: Int

  /// The largest ratio allowed; deflate itself allows 1,032.
  static let mostTimes = 200
  /// The ratio is not checked up to this many bytes.
  static let freeBytes = 8 << 20

  /// The most bytes that so many packed ones may become.
  static func mostBytes(of packed: Int) -> Int {
    max(
      freeBytes,
      packed.multipliedReportingOverflow(by: mostTimes).overflow ? .max : packed * mostTimes)
  }

  /// Starts with the first bytes of the file; nil when out of memory.
  ///
  /// - Parameter packed: The packed size of an entry of an archive: gzip in an archive is compressed
  ///   twice.
  init?(start: ArraySlice<UInt8>, packed: Int = .max) {
    self.packed = packed
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 is the largest window, 16 selects the gzip format (zlib.h, inflateInit2).
    let code = inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else {
      stream.deallocate()
      return nil
    }
    memory = UnsafeMutableRawPointer(stream)
    input = Array(start)
    filled = start.count
  }

  private var stream: UnsafeMutablePointer<z_stream> {
    memory.assumingMemoryBound(to: z_stream.self)
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// A buffer for the next compressed bytes, to fill and pass to ``feed(_:_:)``.
  mutating func takeInput(of size: Int) -> [UInt8] {
    var buffer: [UInt8] = []
    swap(&buffer, &input)
    return buffer.count == size ? buffer : [UInt8](repeating: 0, count: size)
  }

  /// Continues with the first `count` bytes of `buffer`; 0 means the end of the data.
  mutating func feed(_ buffer: [UInt8], _ count: Int) {
    input = buffer
    used = 0
    filled = count
    isInputOver = count == 0
  }

  /// Decompresses into `output` from `offset` on.
  mutating func unpack(into output: inout [UInt8], at offset: Int) -> State {
    while true {
      guard used < filled else {
        if !isInputOver { return .needsInput }
        return isInMember ? .damaged("its gzip data ends in the middle") : .end
      }
      if !isInMember {
        guard beginMember() else {
          return .damaged("its gzip data is followed by something else")
        }
        if !isInMember { continue }
      }
      guard given <= Self.mostBytes(of: min(taken, packed)) else {
        return .damaged(
          "it unpacks to more than \(Self.mostTimes) times its size, the limit; if that is "
            + "intended, decompress it first")
      }
      let (code, count) = step(&output, offset)
      if code == Z_STREAM_END {
        isInMember = false
        inflateReset(stream)
      } else if code != Z_OK && code != Z_BUF_ERROR {
        // The output before the error is returned first; the next call finds the error again.
        return count > 0 ? .bytes(count) : .damaged("its gzip data is damaged")
      }
      if count > 0 { return .bytes(count) }
    }
  }

  /// Begins another member, if one follows; false when anything else does than zeros, with which tapes
  /// and disks fill their blocks.
  private mutating func beginMember() -> Bool {
    while used < filled, input[used] == 0 { used += 1 }
    guard used < filled else { return true }
    isInMember = input[used] == 0x1F
    return isInMember
  }

  private mutating func step(_ output: inout [UInt8], _ offset: Int) -> (code: Int32, count: Int) {
    let stream = stream
    let (start, end) = (used, filled)
    return input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        // Both pointers are used by this one call of inflate only, and both counts are those of the
        // parts of the buffers that begin there.
        stream.pointee.next_in = input.baseAddress.map { $0 + start }
        stream.pointee.avail_in = UInt32(clamping: end - start)
        stream.pointee.next_out = output.baseAddress.map { $0 + offset }
        stream.pointee.avail_out = UInt32(clamping: output.count - offset)
        let room = stream.pointee.avail_out
        let code = inflate(stream, Z_NO_FLUSH)
        used = end - Int(stream.pointee.avail_in)
        taken += used - start
        let count = Int(room - stream.pointee.avail_out)
        given += count
        return (code, count)
      }
    }
  }
}
