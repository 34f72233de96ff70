internal import Foundation
internal import Glibc

/// The file in which the answers of a cache outlive the program.
///
/// New answers are appended; when there is much in it that is no longer wanted, it is written anew
/// beside it and put in its place. Several programs may use one file: what one appends while another
/// writes it anew may be lost, and is asked again.
struct CacheFile {
  /// Why nothing can be read or written, in words.
  struct Failure: Error { let reason: String }

  /// What was found.
  struct Content: Sendable {
    /// In the order of the file.
    var entries: [(key: String, entry: AnswerCache.Entry)] = []
    /// How many lines are not as they were written.
    var damaged = 0
    /// Whether it is better written anew.
    var isUntidy = false
    /// Of a file that is not for this cache.
    var otherHeader: CacheLine.Header?
  }

  static let version = 1
  /// A larger file is no cache of ours, bytes.
  private static let sizeLimit = 1 << 30
  /// It is written anew after so many appended lines, or as many as there are answers if that is
  /// more.
  private static let appendLimit = 1_000

  let path: String
  private let folder: String
  private let header: CacheLine.Header
  private let lines: CacheLine
  private var appended = 0
  /// Whether the last line may be without its end.
  private var isTorn = false

  init(folder: String, cell: Double, source: String) {
    self.folder = folder
    path = "\(folder)/waymark-places.jsonl"
    header = CacheLine.Header(version: Self.version, cell: cell, source: source)
    lines = CacheLine(header)
  }

  /// Everything that is in it; nothing if it is not there.
  func read() throws(Failure) -> Content {
    try bytes().map(content) ?? Content(isUntidy: true)
  }

  /// What the bytes of a file say, whatever they are.
  func content(of bytes: [UInt8]) -> Content {
    var content = Content(isUntidy: bytes.last != CacheLine.end)
    var isFirst = true
    for line in bytes.split(separator: CacheLine.end) {
      defer { isFirst = false }
      if isFirst, let found = CacheLine.header(line) {
        guard found == header else { return Content(isUntidy: true, otherHeader: found) }
      } else if let entry = lines.entry(line) {
        content.entries.append(entry)
      } else {
        content.damaged += 1
        content.isUntidy = true
      }
    }
    return content
  }

  /// Appends an answer; says whether it is time to ``replace(with:)`` the file.
  mutating func append(_ entry: AnswerCache.Entry, for key: String, count: Int) throws(Failure)
    -> Bool
  {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw Self.failure() }
    defer { close(descriptor) }
    let line = (isTorn ? [CacheLine.end] : []) + lines.line(key, entry)
    isTorn = true
    try Self.write(line, to: descriptor)
    isTorn = false
    appended += 1
    return appended > max(Self.appendLimit, count)
  }

  /// Writes it anew, for its owner alone, unless another program does that now.
  mutating func replace(
    with entries: [(key: String, entry: AnswerCache.Entry)]
  ) throws(Failure) {
    var bytes = lines.first
    for (key, entry) in entries { bytes += lines.line(key, entry) }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(reason: error.localizedDescription)
    }
    guard let draft = try draft() else { return }
    // It is locked until then.
    defer { close(draft) }
    do throws(Failure) {
      guard ftruncate(draft, 0) == 0 else { throw Self.failure() }
      try Self.write(bytes, to: draft)
      guard fsync(draft) == 0 || errno == EINTR && fsync(draft) == 0,
        rename(draftPath, path) == 0
      else { throw Self.failure() }
    } catch {
      unlink(draftPath)
      throw error
    }
    (appended, isTorn) = (0, false)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw failure() }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private var draftPath: String { "\(path).new" }

  /// The file that is to become the cache, locked; nil if another program has it.
  private func draft() throws(Failure) -> Int32? {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = open(draftPath, flags, 0o600)
    guard descriptor >= 0 else { throw Self.failure() }
    // Another program may have put it in its place before it was locked.
    var (mine, named) = (stat(), stat())
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &mine) == 0,
      lstat(draftPath, &named) == 0, mine.st_ino == named.st_ino
    else {
      close(descriptor)
      return nil
    }
    fchmod(descriptor, 0o600)
    return descriptor
  }

  /// The bytes of the file, which is made private to its owner; nil if it is not there.
  private func bytes() throws(Failure) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure()
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure() }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit else {
      throw Failure(reason: "it is no file of a cache")
    }
    if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
    do {
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
      return Array(try file.readToEnd() ?? Data())
    } catch {
      throw Failure(reason: error.localizedDescription)
    }
  }

  private static func failure() -> Failure {
    // strerror's text is valid until the next call in this thread, and copied here.
    Failure(reason: strerror(errno).map { String(cString: $0).lowercased() } ?? "error \(errno)")
  }
}
