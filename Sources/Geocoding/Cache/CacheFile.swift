internal import Glibc
internal import System

/// The file that keeps the answers of a cache between runs.
///
/// New answers are appended. When much of the file is obsolete, it is rewritten beside it and replaced.
/// Several programs may share one file: an answer that one appends while another rewrites the file may
/// be lost, and is then requested again.
///
/// The first line has the version, the size of the cells and the source; every other line is an
/// answer (``CacheLine``). A file of another header is not used: an empty one takes its place.
struct CacheFile {
  /// Why the file cannot be read or written.
  struct Failure: Error {
    let reason: String

    fileprivate init(_ failure: WholeFile.Failure) { reason = failure.reason }
  }

  /// The contents of a file.
  struct Content: Sendable {
    /// In the order of the file.
    var entries: [(key: String, entry: AnswerCache.Entry)] = []
    /// The number of damaged lines.
    var damaged = 0
    /// Whether the file should be rewritten.
    var isUntidy = false
    /// The header of a file that belongs to another cache.
    var otherHeader: CacheLine.Header?
  }

  /// A file of another version starts over: answers can be requested again.
  static let version = 1
  /// The file is rewritten after this many appended lines, or as many as there are answers if that is
  /// more.
  private static let appendLimit = 1_000

  let path: String
  private let folder: String
  private let header: CacheLine.Header
  private let lines: CacheLine
  private var appended = 0
  /// Whether the last line may be without its end.
  private var isTorn = false

  /// Reads and writes nothing yet.
  init(folder: String, cell: Double, source: String) {
    self.folder = folder
    path = "\(folder)/waymark-places.jsonl"
    header = CacheLine.Header(version: Self.version, cell: cell, source: source)
    lines = CacheLine(header)
  }

  /// Everything that is in it; nothing if it is not there.
  func read() throws(Failure) -> Content {
    do throws(WholeFile.Failure) {
      return content(of: try WholeFile.readPrivate(path))
    } catch {
      guard error.code == ENOENT else { throw Failure(error) }
      return Content(isUntidy: true)
    }
  }

  /// The contents of a file with these bytes, whatever they are.
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

  /// Appends an answer; returns whether it is time to ``replace(with:)`` the file.
  ///
  /// A line that was cut off, as on a full disk, is closed before the next one, so it costs one
  /// answer.
  ///
  /// - Parameter count: How many answers the cache has.
  /// - Throws: ``Failure`` when the file cannot be opened or written.
  mutating func append(_ entry: AnswerCache.Entry, for key: String, count: Int) throws(Failure)
    -> Bool
  {
    do throws(WholeFile.Failure) {
      let descriptor = try WholeFile.openPrivate(path, O_WRONLY | O_APPEND | O_CREAT)
      defer { close(descriptor) }
      let line = (isTorn ? [CacheLine.end] : []) + lines.line(key, entry)
      isTorn = true
      try WholeFile.writeAll(line[...], to: descriptor)
      isTorn = false
    } catch {
      throw Failure(error)
    }
    appended += 1
    return appended > max(Self.appendLimit, count)
  }

  /// Rewrites the file, private to its owner, unless another program is rewriting it.
  ///
  /// A reader never sees half of it: the new file is renamed over the old one.
  mutating func replace(
    with entries: [(key: String, entry: AnswerCache.Entry)]
  ) throws(Failure) {
    var bytes = lines.first
    for (key, entry) in entries { bytes += lines.line(key, entry) }
    do throws(Folder.CreationFailure) {
      try Folder.create(folder, mode: 0o700)
    } catch {
      throw Failure(error.cause)
    }
    do throws(WholeFile.Failure) {
      guard let lock = try lock() else { return }
      defer { withExtendedLifetime(lock) {} }
      try WholeFile.replace(path, with: bytes)
    } catch {
      throw Failure(error)
    }
    (appended, isTorn) = (0, false)
  }

  /// The lock of the file; nil if another program has it or has just replaced the file.
  private func lock() throws(WholeFile.Failure) -> FileLock? {
    let lock: FileLock
    do throws(FileLock.Failure) {
      lock = try FileLock(path)
    } catch {
      guard case .refused(let failure) = error else { return nil }
      throw failure
    }
    var (mine, named) = (stat(), stat())
    guard fstat(lock.descriptor, &mine) == 0, lstat(path, &named) == 0,
      mine.st_ino == named.st_ino
    else { return nil }
    return lock
  }
}
