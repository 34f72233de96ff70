internal import CCrypto
internal import Foundation

/// A key that signs messages for a receiver.
///
/// Source: Standard Webhooks 1.0.0, https://www.standardwebhooks.com.
struct WebhookSecret: Sendable, Hashable {
  private let key: Data

  /// Reads the key in a file: `whsec_` and the base64 of 24 to 64 bytes.
  init(file path: String, in environment: [String: String]) throws(ReceiverError) {
    let text = try ReceiverError.secret(path, in: environment)
    do throws(Malformed) {
      key = try Self.decoded(text)
    } catch {
      throw .file(path: path, problem: error.problem)
    }
    if let failure = waymark_crypto_load() { throw .library(problem: String(cString: failure)) }
  }

  /// What is wrong with the text of such a file; nil when nothing is.
  static func problem(of text: String) -> String? {
    do throws(Malformed) {
      _ = try decoded(text)
      return nil
    } catch {
      return error.problem
    }
  }

  /// A text that is no key.
  private struct Malformed: Error {
    let problem: String
  }

  private static func decoded(_ text: String) throws(Malformed) -> Data {
    let advice = "make one with: echo whsec_$(openssl rand -base64 32)"
    guard text.hasPrefix("whsec_") else {
      throw Malformed(problem: "the secret does not begin with 'whsec_'; \(advice)")
    }
    guard let key = Data(base64Encoded: String(text.dropFirst(6))) else {
      throw Malformed(problem: "there is no base64 after 'whsec_'; \(advice)")
    }
    guard 24...64 ~= key.count else {
      throw Malformed(
        problem: "the secret has \(key.count) bytes, expected 24 to 64; \(advice)")
    }
    return key
  }

  /// The signature of a message, such as `v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`.
  ///
  /// Nil when out of memory.
  func signature(of body: [UInt8], id: String, timestamp: Int) -> String? {
    let message = Array("\(id).\(timestamp).".utf8) + body
    var code = [UInt8](repeating: 0, count: Int(waymark_hmac_size))
    let isSigned = key.withUnsafeBytes { key in
      message.withUnsafeBytes { message in
        guard let key = key.baseAddress, let start = message.baseAddress else { return false }
        return waymark_hmac_sha256(key, Int32(self.key.count), start, message.count, &code) != 0
      }
    }
    return isSigned ? "v1," + Data(code).base64EncodedString() : nil
  }
}
