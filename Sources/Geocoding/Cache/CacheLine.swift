internal import Foundation

/// A line of the file of a cache: a checksum and its content.
///
/// The first line is `CHECKSUM HEADER`, every other `CHECKSUM TIME KEY PLACES`. The checksum has 16
/// hexadecimal digits. That of an answer covers the header as well, so an answer of another source is
/// invalid.
struct CacheLine {
  /// A longer line is damaged, bytes.
  static let limit = 1 << 18
  /// The maximum length of a key and its places together, bytes; the checksum and the time are
  /// shorter than the rest.
  static let contentLimit = limit - 64

  /// All that the answers of a file depend on.
  ///
  /// Two headers are equal when the answers of one file are valid for the other.
  struct Header: Codable, Hashable {
    var version: Int
    var cell: Double?
    var source: String?
  }

  private let header: [UInt8]

  init(_ header: Header) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A text and finite numbers can always be encoded.
    self.header = (try? encoder.encode(header)).map(Array.init) ?? []
  }

  /// The first line of a file.
  var first: [UInt8] { Self.line(header, after: []) }

  /// The line of an answer, with its end.
  ///
  /// - Precondition: The key has no spaces, and the body no line ends, as JSON without formatting.
  func line(_ key: String, _ entry: AnswerCache.Entry) -> [UInt8] {
    Self.line(Array("\(entry.time) \(key) ".utf8) + entry.body, after: header)
  }

  /// The answer of a line without its end; nil if it is damaged.
  func entry(_ line: ArraySlice<UInt8>) -> (key: String, entry: AnswerCache.Entry)? {
    guard let rest = Self.checked(line, after: header) else { return nil }
    let parts = rest.split(separator: Self.space, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let time = Int64(String(decoding: parts[0], as: UTF8.self)) else {
      return nil
    }
    let entry = AnswerCache.Entry(time: time, body: Array(parts[2]))
    return (String(decoding: parts[1], as: UTF8.self), entry)
  }

  /// The header of a first line; nil if it is damaged.
  static func header(_ line: ArraySlice<UInt8>) -> Header? {
    checked(line, after: []).flatMap { try? JSONDecoder().decode(Header.self, from: Data($0)) }
  }

  private static func line(_ rest: [UInt8], after header: [UInt8]) -> [UInt8] {
    let digits = String(checksum(header, rest[...]), radix: 16)
    var line = Array((String(repeating: "0", count: 16 - digits.count) + digits).utf8)
    line.append(space)
    line += rest
    line.append(end)
    return line
  }

  /// What follows the checksum; nil when the line is too short or long, or the checksum is wrong.
  private static func checked(
    _ line: ArraySlice<UInt8>, after header: [UInt8]
  ) -> ArraySlice<UInt8>? {
    guard line.count > 17, line.count <= limit, line[line.startIndex + 16] == space else {
      return nil
    }
    let rest = line.dropFirst(17)
    return number(line.prefix(16)) == checksum(header, rest) ? rest : nil
  }

  /// FNV-1a of 64 bits over words of 8 bytes, of the header and the line.
  private static func checksum(_ header: [UInt8], _ rest: ArraySlice<UInt8>) -> UInt64 {
    (header + rest).withUnsafeBytes { GazetteerBytes($0).checksum }
  }

  /// The value of hexadecimal digits in small letters; nil for others.
  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - 87)
      default: return nil
      }
    }
    return number
  }

  static let end = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
}
