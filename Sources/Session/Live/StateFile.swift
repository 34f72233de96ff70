internal import FoundationEssentials
internal import Glibc
internal import Tracking
internal import Traces

/// What a checkpoint holds beside the engine.
struct KeptState: Codable {
  /// Counts checkpoints; a journal belongs to the checkpoint whose number it has.
  var generation: Int
  /// The device's name.
  var device: String
  var tracker: Tracker
  /// How many bytes the output had, if it was a file, and how wide its columns were.
  var outputLength: Int?
  var columns: [Int]
}

/// A checkpoint as a file: a first line with the format's version and a checksum, then JSON.
///
/// It is replaced in one step (written beside, synchronised, renamed), so that whoever is killed at
/// any moment leaves the old one or the new one.
enum StateFile {
  private static let title = "waymark-state"
  /// Raised when a program could misread what another one wrote.
  static let version = 1

  /// Why there is no state to go on from.
  enum Absence: Error, Hashable {
    case missing
    /// For the reason given: another version's, damaged…
    case unusable(String)
    case unreadable(String)
  }

  /// Reads a checkpoint.
  static func read(_ path: String) throws(Absence) -> KeptState {
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.read(path)
    } catch {
      throw error.code == ENOENT ? .missing : .unreadable(error.reason)
    }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      throw .unusable("it is no state of waymark")
    }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == title else {
      throw .unusable("it is no state of waymark")
    }
    guard words[1] == "\(version)" else {
      throw .unusable("it is of version \(words[1]), this program reads version \(version)")
    }
    let body = bytes[(end + 1)...]
    guard words[2] == checksum(body) else { throw .unusable("it is damaged") }
    do {
      return try JSONDecoder().decode(KeptState.self, from: Data(body))
    } catch {
      throw .unusable("it is of another version of the engine")
    }
  }

  /// Writes a checkpoint; readable by its owner only, as it says where somebody was.
  static func write(_ state: KeptState, to path: String) throws(WholeFile.Failure) {
    guard let body = try? JSONEncoder().encode(state) else {
      // Every number of an engine is finite: fixes with others are not let in.
      throw WholeFile.Failure(code: EINVAL)
    }
    let bytes = Array(body)
    let head = "\(title) \(version) \(checksum(bytes[...]))\n"
    try WholeFile.replace(path, with: Array(head.utf8) + bytes)
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
    var hash = FNV1a()
    hash.add(bytes.span)
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Small files that are read and replaced as a whole, private to their owner.
enum WholeFile {
  /// What the system said.
  struct Failure: Error, Hashable {
    let code: Int32

    /// In words, such as `no space left on device`.
    var reason: String {
      // strerror's text is valid until the next call in this thread, and copied here.
      strerror(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
    }
  }

  static func read(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count > 0 { all += piece[..<count] }
      if count == 0 { return all }
      if count < 0, errno != EINTR { throw Failure(code: errno) }
    }
  }

  /// Writes a file beside it and puts that in its place; by default for its owner alone.
  static func replace(
    _ path: String, with bytes: [UInt8], mode: mode_t = 0o600
  ) throws(Failure) {
    let draft = "\(path).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    do throws(Failure) {
      defer { close(descriptor) }
      try writeAll(bytes[...], to: descriptor)
      guard fsync(descriptor) == 0 else { throw Failure(code: errno) }
    } catch {
      unlink(draft)
      throw error
    }
    guard rename(draft, path) == 0 else { throw Failure(code: errno) }
    synchroniseFolder(of: path)
  }

  static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(Failure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw Failure(code: errno)
      }
    }
  }

  /// A renamed file is safe from a power cut once its folder is.
  private static func synchroniseFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
