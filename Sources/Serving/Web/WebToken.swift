package import Session

/// The secret that a server for other machines needs, of a ``TokenFile``.
package struct WebToken: Sendable {
  package typealias Failure = TokenFile.Failure

  private let digits: [UInt8]

  /// The name of the cookie.
  static let cookie = "waymark"

  /// Reads the token of a file, which is made with a new one when it is missing.
  package init(path: String) throws(Failure) { digits = try TokenFile.digits(of: path) }

  init(text: String, path: String) throws(Failure) {
    digits = try TokenFile.digits(in: text, of: path)
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
