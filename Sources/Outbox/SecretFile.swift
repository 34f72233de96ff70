internal import Glibc
internal import System

/// A file with one secret, such as a password or a token.
enum SecretFile {
  /// A secret that cannot be read; it names the file, never its content.
  struct Failure: Error, Hashable {
    let reason: String
  }

  /// Longer secrets are refused, bytes.
  private static let largestSize = 64 << 10

  /// The content of a file without its last newline.
  ///
  /// A name without a slash is first looked for in `$CREDENTIALS_DIRECTORY`, where systemd puts the
  /// credentials of a service.
  static func read(
    _ path: String,
    credentials: String? = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
  ) throws(Failure) -> String {
    var place = path
    if let credentials, !path.contains("/") {
      let credential = "\(credentials)/\(path)"
      if (try? WholeFile.mode(of: credential)) != nil { place = credential }
    }
    let bytes: [UInt8]
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(place, limit: largestSize)
    } catch {
      throw Failure(reason: "\(place) cannot be read: \(error.reason)")
    }
    guard var text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
      throw Failure(reason: "\(place) is not text in UTF-8")
    }
    // A line feed after a carriage return is one character with it.
    if text.last?.isNewline == true { text.removeLast() }
    guard !text.isEmpty else { throw Failure(reason: "\(place) is empty") }
    return text
  }
}
