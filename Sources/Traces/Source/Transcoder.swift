internal import Glibc

/// Converts bytes of any encoding that the C library knows to UTF-8, piece by piece.
///
/// It owns a conversion descriptor, so that it cannot be copied.
struct Transcoder: ~Copyable {
  enum Result { case converted, needsMore, invalid }

  private let descriptor: iconv_t
  /// Bytes that are not converted yet.
  private var input: [UInt8]
  private var used = 0

  /// Starts with the first bytes; nil when the encoding is not known.
  init?(from encoding: String, start: ArraySlice<UInt8>) {
    // The name is that of an encoding, so that it holds no "//" with which iconv is told to guess.
    guard TextEncoding.isName(encoding) else { return nil }
    guard let descriptor = iconv_open("UTF-8", encoding), descriptor != iconv_t(bitPattern: -1)
    else { return nil }
    self.descriptor = descriptor
    input = Array(start)
  }

  deinit { iconv_close(descriptor) }

  /// Whether all that was given is converted.
  var isEmpty: Bool { used == input.count }

  /// Adds bytes behind those that are not converted yet.
  mutating func give(_ bytes: ArraySlice<UInt8>) {
    input.removeSubrange(..<used)
    used = 0
    input.append(contentsOf: bytes)
  }

  /// Converts into `output` from `offset` on; returns how many bytes it wrote and why it stopped.
  mutating func convert(into output: inout [UInt8], at offset: Int) -> (count: Int, result: Result)
  {
    let descriptor = descriptor
    let start = used
    return input.withUnsafeMutableBytes { input in
      output.withUnsafeMutableBytes { output in
        // iconv moves the pointers no further than the counts allow, which are those of the parts
        // of the buffers that begin there; it does not keep them.
        var from = input.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
        var fromCount = input.count - start
        var to = output.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
        var toCount = output.count - offset
        let code = iconv(descriptor, &from, &fromCount, &to, &toCount)
        let reason = errno
        used = input.count - fromCount
        let count = output.count - offset - toCount
        if code != -1 || reason == E2BIG { return (count, .converted) }
        return (count, reason == EINVAL ? .needsMore : .invalid)
      }
    }
  }
}
