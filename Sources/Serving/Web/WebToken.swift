internal import Glibc
internal import System
internal import Text

/// The secret that a server for other machines needs: 32 random bytes, in a file for its owner alone.
package struct WebToken: Sendable {
  private let digits: [UInt8]

  /// The name of the cookie.
  static let cookie = "waymark"
  /// Bytes of a token; the file has twice as many hexadecimal digits.
  private static let size = 32

  /// Why a file gives no token.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads the token of a file, which is made with a new one when it is missing.
  package init(path: String) throws(Failure) {
    let bytes: [UInt8]
    do throws(WholeFile.Failure) {
      if try WholeFile.mode(of: path) == nil {
        try WholeFile.replace(path, with: Self.random(), mode: 0o600)
      }
      bytes = try WholeFile.read(path, limit: 4_096)
      if let mode = try WholeFile.mode(of: path), mode & 0o077 != 0 {
        throw WholeFile.Failure(code: EACCES)
      }
    } catch {
      let advice = error.code == EACCES ? "; it must be for its owner alone (chmod 600)" : ""
      throw Failure(description: "\(path): no token: \(error.reason)\(advice)")
    }
    try self.init(text: String(decoding: bytes, as: UTF8.self), path: path)
  }

  private static func random() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    var text: [UInt8] = []
    for _ in 0..<size { HexText.append(.random(in: .min ... .max, using: &random), to: &text) }
    return text + [UInt8(ascii: "\n")]
  }

  init(text: String, path: String) throws(Failure) {
    digits = text.utf8.filter { $0 > 0x20 }
    let isHex = digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    guard digits.count == 2 * Self.size, isHex else {
      throw Failure(
        description: "\(path): found \(digits.count) characters, expected a token of "
          + "\(2 * Self.size) hexadecimal digits; remove the file to get a new one")
    }
  }

  /// The token as it stands in the cookie.
  var text: String { String(decoding: digits, as: UTF8.self) }

  /// Whether a text is the token; takes the same time wherever the two differ.
  func matches(_ text: String) -> Bool {
    let other = Array(text.utf8)
    var difference = digits.count ^ other.count
    for (index, digit) in digits.enumerated() {
      difference |= Int(digit ^ (index < other.count ? other[index] : 0))
    }
    return difference == 0
  }
}
