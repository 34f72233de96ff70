internal import Foundation
internal import System
internal import Text

/// Names of devices, fences and receivers as parts of topics and ids.
///
/// Different names have different encodings; of one that is very long the end is a hash.
enum MQTTName {
  /// One level of a topic.
  ///
  /// `/`, `+`, `#`, `%`, control characters and what MQTT excludes from text (§1.5.4 of MQTT 5) are
  /// percent-encoded, byte by byte in UTF-8; the rest stays as it is.
  static func level(_ name: String) -> String {
    encoded(name, mark: "%", keeping: isPlain)
  }

  /// An id for Home Assistant and brokers, in `[a-zA-Z0-9_-]`.
  ///
  /// Other characters, also `_`, are `_` and two hexadecimal digits for each byte in UTF-8, so `__`
  /// can join ids.
  static func id(_ name: String) -> String {
    encoded(name, mark: "_") { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-": true
      default: false
      }
    }
  }

  /// The client id of a receiver: `waymark-<host>-<receiver>-<hash>`.
  ///
  /// Two clients with one id would end each other's connections, so the hash is that of the store's
  /// path. After a restart the id is the same, and the broker ends what is left of the old connection.
  ///
  /// - Parameter more: What else makes another client.
  static func clientID(
    of receiver: String, store: String, more: String = "", host: String = HostName.current
  ) -> String {
    let end = "-" + hash("\(URL(fileURLWithPath: store).path)\0\(host)\0\(receiver)\(more)")
    return String("waymark-\(id(host))-\(id(receiver))".prefix(longestClientID - end.count)) + end
  }

  /// 16 hexadecimal digits that stand for a name.
  static func hash(_ name: String) -> String {
    var hash = FNV1a()
    hash.add(name)
    var digits: [UInt8] = []
    for shift in stride(from: 56, through: 0, by: -8) {
      HexText.append(UInt8(truncatingIfNeeded: hash.mixed >> UInt64(shift)), to: &digits)
    }
    return digits.span.string
  }

  /// The standard promises 23 (§3.1.3.1); all common brokers take far more.
  private static let longestClientID = 64
  /// Bytes; MQTT has 65,535 for all levels of a topic.
  private static let longestLevel = 512

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2F, 0x2B, 0x23, 0x25, 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }

  private static func encoded(
    _ name: String, mark: Character, keeping isPlain: (Unicode.Scalar) -> Bool
  ) -> String {
    var bytes: [UInt8] = []
    for scalar in name.unicodeScalars {
      let code = UTF8.encode(scalar) ?? .init()
      if isPlain(scalar) {
        bytes += code
      } else {
        for byte in code {
          bytes += mark.utf8
          HexText.append(byte, to: &bytes)
        }
      }
    }
    guard bytes.count > longestLevel else { return bytes.span.string }
    let end = hash(name)
    var start = bytes.prefix(longestLevel - end.utf8.count)
    // Not within a character of UTF-8.
    while String(validating: start, as: UTF8.self) == nil { start.removeLast() }
    return start.span.string + end
  }
}
