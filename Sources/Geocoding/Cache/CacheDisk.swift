internal import Locking

/// The file of a cache, and what is told of it.
final class CacheDisk: Sendable {
  private struct State {
    var file: CacheFile
    /// Whether the user knows that nothing can be written.
    var isTold = false
  }

  private let path: String
  private let isKept: @Sendable (CacheShelf.Entry) -> Bool
  private let report: @Sendable (String) -> Void
  private let state: Mutex<State>

  /// The file in a folder; `isKept` says of an answer whether it is young enough.
  init(
    _ file: CacheFile, isKept: @escaping @Sendable (CacheShelf.Entry) -> Bool,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.isKept = isKept
    self.report = report
    path = file.path
    state = Mutex(State(file: file))
  }

  /// The answers of the file that are to be kept, the one that was used least lately first; makes
  /// the file ready.
  func read() -> [(key: String, entry: CacheShelf.Entry)] {
    guard let content = attempt({ file throws(CacheFile.Failure) in try file.read() }) else {
      return []
    }
    tell(content)
    let entries = content.entries.filter { isKept($0.entry) }
    if content.isUntidy || entries.count < content.entries.count {
      attempt { file throws(CacheFile.Failure) in try file.replace(with: entries) }
    }
    return entries
  }

  /// Adds one of `count` answers; says whether it is time to ``replace(with:)`` the file.
  func append(_ entry: CacheShelf.Entry, for key: String, count: Int) -> Bool {
    attempt { file throws(CacheFile.Failure) in
      try file.append(entry, for: key, count: count)
    } ?? false
  }

  /// Writes the file anew; answers of other programs in it stay as far as there is room.
  func replace(with shelf: CacheShelf) {
    attempt { file throws(CacheFile.Failure) in
      let others = try file.read().entries.filter { !shelf.holds($0.key) && isKept($0.entry) }
      try file.replace(with: (others + shelf.entries).suffix(shelf.limit))
    }
  }

  /// Does something with the file; nil if it fails, which is told if the last attempt did not.
  @discardableResult
  private func attempt<Value: Sendable>(
    _ body: (inout CacheFile) throws(CacheFile.Failure) -> Value
  ) -> Value? {
    state.withLock { state in
      do throws(CacheFile.Failure) {
        let value = try body(&state.file)
        state.isTold = false
        return value
      } catch {
        if !state.isTold {
          report(
            "\(path) cannot be used: \(error.reason); names of places are kept until the program "
              + "ends")
        }
        state.isTold = true
        return nil
      }
    }
  }

  private func tell(_ content: CacheFile.Content) {
    if let other = content.otherHeader {
      let isOld = other.version != CacheFile.version
      report(
        isOld
          ? "\(path) is a cache of version \(other.version), this program keeps version "
            + "\(CacheFile.version): it is begun anew"
          : "\(path) holds the answers of another source or other cells: it is begun anew")
    }
    if content.damaged > 0 {
      report("\(path) is damaged: \(content.damaged) of its lines are left out and asked again")
    }
  }
}
