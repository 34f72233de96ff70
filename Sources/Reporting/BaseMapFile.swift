internal import Geodesy

/// Coasts and borders, as Sources/CPage/build-base-map.py writes them.
enum BaseMapFile {
  /// Parts of a degree.
  private static let steps = 500.0

  /// Calls `body` with every ring.
  static func forEachRing(_ body: ([Coordinate]) -> Void) {
    let bytes = PageFile.baseMap
    var at = 0
    var (x, y) = (0, 0)
    while at < bytes.count {
      let count = number(bytes, &at)
      var ring: [Coordinate] = []
      for _ in 0..<count {
        x += number(bytes, &at)
        y += number(bytes, &at)
        ring.append(Coordinate(latitude: Double(y) / steps, longitude: Double(x) / steps))
      }
      body(ring)
    }
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Int {
    var (value, shift) = (0, 0)
    while at < bytes.count {
      let byte = Int(bytes[at])
      at += 1
      value |= (byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return value & 1 == 0 ? value >> 1 : -(value >> 1) - 1
  }
}
