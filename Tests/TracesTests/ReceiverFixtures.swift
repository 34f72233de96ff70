import Foundation
@testable import Receivers
import Testing

/// The logs of a made-up boat in Fixtures.
func fixture(_ name: String) throws -> [UInt8] {
  let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/\(name)")
  return [UInt8](try Data(contentsOf: url))
}

/// A sentence with its checksum and line end.
func sentence(_ text: String) -> String {
  let sum = text.utf8.reduce(0) { $0 ^ $1 }
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(text)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
}

/// The result of reading a receiver log.
func decodeReceiver(_ text: String) -> Decoded {
  decode(text, with: ReceiverLogDecoder())
}
