import Foundation

/// A call that a program made, as `faults.c` writes it down.
struct Call: Sendable, Hashable {
  enum Kind: Character, Sendable {
    case open = "o"
    case openToRead = "r"
    case write = "w"
    case synchronise = "s"
    case truncate = "t"
    case close = "c"
    case rename = "n"
    case unlink = "u"
    case link = "l"
    case makeFolder = "m"
    case changeMode = "h"
    case read = "i"
    /// One that the system refused.
    case refused = "x"
  }

  var kind: Kind
  /// The file's inode.
  var file: UInt64
  /// Of an open, whether the file is new; of a write, its place; of a truncation, the length.
  var first: Int
  /// Of an open, whether the file is emptied; of a write, its length.
  var second: Int
  /// A path, or what was written.
  var bytes: [UInt8]
  /// The other path.
  var other: [UInt8]

  var path: String { String(decoding: bytes, as: UTF8.self) }
  var otherPath: String { String(decoding: other, as: UTF8.self) }

  /// Whether the disk is another one after it.
  var changesDisk: Bool {
    switch kind {
    case .open: first != 0 || second != 0
    case .openToRead, .close, .synchronise, .read, .refused: false
    case .write, .truncate, .rename, .unlink, .link, .makeFolder, .changeMode: true
    }
  }

  /// The calls in a log; the place in it is the number of the call, less one.
  static func read(_ path: String) throws -> [Call] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var calls: [Call] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
      guard words.count == 6, let kind = words[0].first.flatMap(Kind.init), words[0].count == 1,
        let file = UInt64(words[1]), let first = Int(words[2]), let second = Int(words[3]),
        let length = Int(words[4]), let otherLength = Int(words[5])
      else { throw Failure("the log of calls has '\(words.joined(separator: " "))'") }
      let text = rest[(end + 1)...].prefix(length)
      let other = rest[(end + 1 + length)...].prefix(otherLength)
      calls.append(
        Call(
          kind: kind, file: file, first: first, second: second, bytes: Array(text),
          other: Array(other)))
      rest = rest[(end + 1 + length + otherLength + 1)...]
    }
    return calls
  }
}

extension Call {
  /// For messages.
  var summary: String {
    switch kind {
    case .open, .openToRead, .unlink, .makeFolder, .rename: "\(kind) \(path) \(otherPath)"
    case .write: "write of \(second) bytes at \(first)"
    default: "\(kind)"
    }
  }
}
