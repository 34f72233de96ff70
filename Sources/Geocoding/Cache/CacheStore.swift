internal import Locking

/// The file of a cache with its error reports.
///
/// An error does not stop the cache, which goes on in memory and tries the file again at the next
/// use. It is reported once until the file works again.
final class CacheStore: Sendable {
  private struct State {
    var file: CacheFile
    /// Whether the last error was reported.
    var isReported = false
  }

  private let path: String
  private let isFresh: @Sendable (AnswerCache.Entry) -> Bool
  private let report: @Sendable (String) -> Void
  private let state: Mutex<State>

  /// - Parameter isFresh: Whether an answer is young enough.
  init(
    _ file: CacheFile, isFresh: @escaping @Sendable (AnswerCache.Entry) -> Bool,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.isFresh = isFresh
    self.report = report
    path = file.path
    state = Mutex(State(file: file))
  }

  /// The fresh answers of the file, the least recently used first; tidies the file.
  func read() -> [(key: String, entry: AnswerCache.Entry)] {
    guard let content = attempt({ file throws(CacheFile.Failure) in try file.read() }) else {
      return []
    }
    reportProblems(of: content)
    let entries = content.entries.filter { isFresh($0.entry) }
    if content.isUntidy || entries.count < content.entries.count {
      attempt { file throws(CacheFile.Failure) in try file.replace(with: entries) }
    }
    return entries
  }

  /// Appends one of `count` answers; returns whether it is time to ``replace(with:)`` the file.
  func append(_ entry: AnswerCache.Entry, for key: String, count: Int) -> Bool {
    attempt { file throws(CacheFile.Failure) in
      try file.append(entry, for: key, count: count)
    } ?? false
  }

  /// Replaces the file; answers of other programs in it stay as far as the limit allows.
  func replace(with cache: AnswerCache) {
    attempt { file throws(CacheFile.Failure) in
      let others = try file.read().entries.filter { !cache.contains($0.key) && isFresh($0.entry) }
      try file.replace(with: (others + cache.entries).suffix(cache.limit))
    }
  }

  /// Uses the file; nil after an error, which is reported if the previous use had none.
  @discardableResult
  private func attempt<Value: Sendable>(
    _ body: (inout CacheFile) throws(CacheFile.Failure) -> Value
  ) -> Value? {
    state.withLock { state in
      do throws(CacheFile.Failure) {
        let value = try body(&state.file)
        state.isReported = false
        return value
      } catch {
        if !state.isReported {
          report(
            "\(path) cannot be used: \(error.reason); place names are kept in memory until the "
              + "program ends")
        }
        state.isReported = true
        return nil
      }
    }
  }

  /// Reports a file of another cache, and how many of its lines are damaged.
  private func reportProblems(of content: CacheFile.Content) {
    if let other = content.otherHeader {
      let isOld = other.version != CacheFile.version
      report(
        isOld
          ? "\(path) is a cache of version \(other.version), this program has version "
            + "\(CacheFile.version): it starts over"
          : "\(path) has the answers of another source or other cells: it starts over")
    }
    if content.damaged > 0 {
      report("\(path) is damaged: \(content.damaged) of its lines are dropped")
    }
  }
}
