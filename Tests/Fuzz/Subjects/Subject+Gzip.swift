import CZlib
@testable import Formats
@testable import Traces

extension Subject {
  /// Files of traces, whatever they are: their format, encoding and compression are recognised.
  static let traceFiles = [
    Subject(name: "trace-file", decodes: "any trace in UTF-8 or another encoding, or in gzip") {
      try checkFile($0)
    },
    Subject(name: "archive", decodes: "archives of traces, ZIP", effort: 5) {
      try checkArchive($0)
    },
  ]

  private static func checkArchive(_ bytes: [UInt8]) throws -> Bool {
    let file = ScratchFile.shared
    file.write(bytes)
    let archive = try ZipArchive(path: file.path)
    for entry in archive.entries {
      let whole = try read(entry, resting: false)
      try hold("an entry that rests reads the same", try read(entry, resting: true) == whole)
    }
    return !archive.entries.isEmpty
  }

  private static func read(_ entry: ZipEntry, resting: Bool) throws -> [UInt8] {
    var source = ByteSource(entry)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 10)
    while case .bytes(let count) = try source.read(into: &buffer, at: 0) {
      all += buffer[..<count]
      if resting { source.rest(step: 100) }
      // gzip in an entry unpacks to more.
      if all.count > 1 << 16 { break }
    }
    return all
  }

  private static func checkFile(_ bytes: [UInt8]) throws -> Bool {
    var reader = ByteReader(bytes)
    let way = reader.below(4)
    let content = reader.rest
    let plain = try read(content)
    switch way {
    case 0: break
    case 1, 2:
      // gzip in gzip is not unpacked twice.
      guard !content.starts(with: [0x1F, 0x8B]) else { return false }
      let packed = try read(gzip(content, level: way == 1 ? 0 : 6))
      try hold("a trace reads the same in gzip", packed == plain)
    default:
      var packed = gzip(content, level: 1)
      packed.removeLast(min(packed.count, content.count % 40))
      if let first = content.first, !packed.isEmpty {
        packed[content.count % packed.count] ^= first
      }
      _ = try read(packed)
    }
    return plain != nil
  }

  private static func read(_ bytes: [UInt8]) throws -> Decoded? {
    let file = ScratchFile.shared
    file.write(bytes)
    var decoded = Decoded()
    do throws(TraceError) {
      var reader = try TraceReader(path: file.path)
      var batch = TraceBatch()
      while try reader.read(into: &batch) { decoded.take(&batch) }
    } catch {
      try hold("a refusal says something", error.description.count > file.path.count)
      return nil
    }
    return decoded
  }

  /// `bytes` as gzip.
  private static func gzip(_ bytes: [UInt8], level: Int32) -> [UInt8] {
    var stream = z_stream()
    // 15 is the largest window, 16 asks for the gzip format (zlib.h, deflateInit2).
    deflateInit2_(
      &stream, level, Z_DEFLATED, 15 + 16, 1, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var (input, output) = (bytes, [UInt8](repeating: 0, count: bytes.count + 1_024))
    let count = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        deflate(&stream, Z_FINISH)
        return output.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<count])
  }
}
