internal import FoundationEssentials
internal import Glibc

/// A kind of private file that says what it is: a first line with its title, its version and a
/// checksum, then JSON or bytes of its own.
///
/// It is replaced in one step (written beside, synchronised, renamed), so that whoever is killed at
/// any moment leaves the old one or the new one.
package struct CheckedFile: Sendable {
  /// Why there is nothing to read.
  package enum Absence: Error, Hashable {
    case missing
    /// For the reason given: another version's, damaged…
    case unusable(String)
    case unreadable(String)
  }

  /// What it is called in messages, such as `state`; its title is `waymark-state` then.
  package let name: String
  /// Raised when a program could misread what another one wrote.
  package let version: Int

  package init(_ name: String, version: Int) {
    self.name = name
    self.version = version
  }

  private var title: String { "waymark-\(name)" }

  /// Reads a file.
  package func read<Content: Decodable>(
    _ type: Content.Type, from path: String
  ) throws(Absence) -> Content {
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.readOwn(path)
    } catch {
      throw Self.absence(error)
    }
    let (checksum, start) = try head(of: bytes[...])
    var sum = FNV1a()
    sum.add(bytes.span.extracting(start...))
    guard checksum == Self.digits(sum) else { throw .unusable("it is damaged") }
    do {
      return try JSONDecoder().decode(Content.self, from: Data(bytes[start...]))
    } catch {
      throw .unusable("it is of another version of the engine")
    }
  }

  /// Writes a file; readable by its owner only, as it says where somebody was.
  package func write(_ content: some Encodable, to path: String) throws(WholeFile.Failure) {
    guard let body = try? JSONEncoder().encode(content) else {
      // Every number of an engine is finite: fixes with others are not let in.
      throw WholeFile.Failure(code: EINVAL)
    }
    try write(to: path) { (writer) throws(WholeFile.Failure) in try writer.append(Array(body)) }
  }

  /// The first line, for content with a sum.
  func head(_ sum: FNV1a) -> [UInt8] { Array("\(title) \(version) \(Self.digits(sum))\n".utf8) }

  /// What the first line of a file says of its content, and where that begins.
  func head(
    of bytes: ArraySlice<UInt8>
  ) throws(Absence) -> (checksum: Substring, contentStart: Int) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      throw .unusable("it is no \(name) of waymark")
    }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == title else {
      throw .unusable("it is no \(name) of waymark")
    }
    guard words[1] == "\(version)" else {
      throw .unusable("it is of version \(words[1]), this program reads version \(version)")
    }
    return (words[2], end + 1)
  }

  static func absence(_ failure: WholeFile.Failure) -> Absence {
    failure.code == ENOENT ? .missing : .unreadable(failure.reason)
  }

  /// A sum as it is written.
  static func digits(_ sum: FNV1a) -> String {
    let digits = String(sum.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
