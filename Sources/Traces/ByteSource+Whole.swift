extension ByteSource {
  /// All bytes of a file, or of standard input for `-`, decompressed when they are gzip.
  ///
  /// - Parameter limit: The most bytes allowed, decompressed.
  /// - Throws: ``TraceError`` when the file cannot be read, is larger, cannot be decompressed, or is a
  ///   named pipe without a writer.
  package static func whole(_ path: String, limit: Int) throws(TraceError) -> [UInt8] {
    var source = try ByteSource(path: path, waitsForWriter: false)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      switch try source.read(into: &buffer, at: 0) {
      case .bytes(let count):
        guard count <= limit - all.count else {
          throw .unreadable(
            path: source.path, reason: "it is larger than the limit of \(limit) bytes")
        }
        all.append(contentsOf: buffer[..<count])
      case .end: return all
      case .damaged(let reason): throw .unreadable(path: source.path, reason: reason)
      }
    }
  }
}
