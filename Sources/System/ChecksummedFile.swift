internal import Glibc

/// A kind of private file: a first line with its title, version and checksum, then JSON or bytes.
///
/// It is replaced in one step (a draft is written, synchronised and renamed). A process killed at any
/// moment leaves the old file or the new one.
package struct ChecksummedFile: Sendable {
  /// Why a file could not be read.
  package enum ReadError: Error, Hashable {
    case missing
    /// The file is damaged or of an earlier version, for the reason given.
    case unusable(String)
    /// A later release of the program wrote the file.
    case newer(String)
    case unreadable(String)
  }

  /// The name in messages, such as `state`; the title is then `waymark-state`.
  package let name: String
  /// Raised when another version of the program could misread the content.
  package let version: Int
  /// The oldest version that is still read.
  private let oldest: Int

  /// A kind of file.
  ///
  /// - Parameter oldest: The oldest version that is read; nil for the current one alone.
  ///   ``Reader/version`` is the version of a file.
  package init(_ name: String, version: Int, oldest: Int? = nil) {
    self.name = name
    self.version = version
    self.oldest = oldest ?? version
  }

  private var title: String { "waymark-\(name)" }

  /// Whether a path has a file of another kind, which must not be changed.
  ///
  /// It only looks; a file that cannot be read is reported by who reads it.
  package func isForeign(_ path: String) -> Bool { WholeFile.isForeign(path, title: title) }

  /// The content of a file, whose checksum is right.
  package func content(of path: String) throws(ReadError) -> ArraySlice<UInt8> {
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.readPrivate(path)
    } catch {
      throw Self.readError(error)
    }
    let (checksum, _, start) = try head(of: bytes[...])
    var sum = FNV1a()
    sum.add(bytes.span.extracting(start...))
    guard checksum == Self.digits(sum) else { throw .unusable("it is damaged") }
    return bytes[start...]
  }

  /// The first line, for content with this checksum.
  func head(_ sum: FNV1a) -> [UInt8] { Array("\(title) \(version) \(Self.digits(sum))\n".utf8) }

  /// The checksum in the first line of a file, and where its content begins.
  func head(
    of bytes: ArraySlice<UInt8>
  ) throws(ReadError) -> (checksum: Substring, version: Int, contentStart: Int) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      throw .unusable(reason(withoutHead: bytes))
    }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == title else {
      throw .unusable("not a waymark \(name) file")
    }
    guard let found = Int(words[1]), words[1] == "\(found)", oldest...version ~= found else {
      let known = oldest == version ? "version \(version)" : "versions \(oldest) to \(version)"
      let reason = "it has version \(words[1]), this program reads \(known)"
      throw Int(words[1]).map { $0 > version } == true ? .newer(reason) : .unusable(reason)
    }
    return (words[2], found, end + 1)
  }

  /// What is wrong with a file that has no whole first line.
  private func reason(withoutHead bytes: ArraySlice<UInt8>) -> String {
    if bytes.isEmpty { return "it is empty" }
    // The beginning of one, or zeros after a power cut.
    let isOwn = bytes.first == 0 || title.utf8.starts(with: bytes.prefix(title.utf8.count))
    return isOwn ? "it is damaged" : "not a waymark \(name) file"
  }

  static func readError(_ failure: WholeFile.Failure) -> ReadError {
    failure.code == ENOENT ? .missing : .unreadable(failure.reason)
  }

  /// A checksum as 16 hexadecimal digits.
  static func digits(_ sum: FNV1a) -> String {
    let digits = String(sum.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
