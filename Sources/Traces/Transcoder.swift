internal import Glibc
internal import Text

/// Converts bytes of any encoding that the C library knows to UTF-8, in chunks.
///
/// It owns a conversion descriptor, so it cannot be copied.
struct Transcoder: ~Copyable {
  enum Result { case converted, needsMore, invalid }

  private let descriptor: iconv_t
  /// Bytes that are not converted yet.
  private var input: [UInt8]
  private var used = 0

  /// Starts with the first bytes; nil when the encoding is unknown.
  init?(from encoding: String, start: ArraySlice<UInt8>) {
    // A valid encoding name contains no "//", with which iconv would guess.
    guard TextEncoding.isName(encoding) else { return nil }
    guard let descriptor = iconv_open("UTF-8", encoding), descriptor != iconv_t(bitPattern: -1)
    else { return nil }
    self.descriptor = descriptor
    input = Array(start)
  }

  deinit { iconv_close(descriptor) }

  /// Whether all input is converted.
  var isEmpty: Bool { used == input.count }

  /// Appends bytes to the input.
  mutating func feed(_ bytes: ArraySlice<UInt8>) {
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
