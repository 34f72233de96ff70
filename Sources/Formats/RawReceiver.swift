/// Binary protocols of receivers, which are not read; gpsdecode of gpsd reads them.
enum RawReceiver {
  /// The most bytes of a file that are searched.
  private static let searched = 4_096

  /// The protocol of a file that has a frame with another one right behind it; nil for other files.
  ///
  /// A recording may begin in the middle of a frame, or with comments.
  static func name(of head: ArraySlice<UInt8>) -> String? {
    let bytes = Array(head.prefix(searched))
    for start in bytes.indices {
      guard let (name, size) = frame(bytes, at: start) else { continue }
      let next = bytes[min(start + size, bytes.count)...]
      if next.starts(with: bytes[start...start + 1]) { return name }
    }
    return nil
  }

  /// The protocol and the size of a frame that may begin at `start`.
  private static func frame(_ bytes: [UInt8], at start: Int) -> (name: String, size: Int)? {
    guard start + 6 <= bytes.count else { return nil }
    switch (bytes[start], bytes[start + 1]) {
    case (0xB5, 0x62):
      // Class, id, size with the lowest byte first, payload, two sums ("u-blox 8 / M8 Receiver
      // description").
      return ("UBX", number(bytes[start + 5], bytes[start + 4]) + 8)
    case (0xA0, 0xA2):
      // Size with the highest byte first, payload, sum, 0xB0 0xB3 ("SiRF Binary Protocol Reference
      // Manual").
      return ("SiRF", number(bytes[start + 2], bytes[start + 3]) + 8)
    default: return nil
    }
  }

  private static func number(_ high: UInt8, _ low: UInt8) -> Int { Int(high) << 8 | Int(low) }
}
