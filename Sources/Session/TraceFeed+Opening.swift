internal import System
package import Traces

extension TraceFeed {
  /// So many files are held open at a time; of more, each is closed again until more of it is to be
  /// read.
  private static let mostOpen = 64
  /// How many bytes of files that are not held open are read at a time, all of them together and
  /// each at least.
  private static let restingBytes = 32 << 20
  private static let leastStep = 4 << 10

  /// Opens several, so that a wrong name is told before anything is played.
  ///
  /// - Parameter threads: How many threads do it.
  /// - Throws: what is wrong with the first one of which something is.
  package static func open(
    _ paths: [String], threads: Int = 1
  ) throws(TraceError) -> [TraceFeed] {
    let step =
      paths.count > mostOpen
      ? max(leastStep, min(TraceReader.step, restingBytes / paths.count)) : nil
    // What comes from standard input may have to be waited for, a wrong name before it not.
    guard threads > 1, !paths.contains("-") else {
      return try paths.map { (path) throws(TraceError) in
        try TraceFeed(path: path, restingStep: step)
      }
    }
    let openings = paths.map { Opening(path: $0) }
    Parallel.forEach(paths.count, threads: threads) { job, _ in openings[job].open(step) }
    return try openings.map { (opening) throws(TraceError) in try opening.feed.get() }
  }

  /// A file that one of several threads opens.
  private final class Opening {
    private let path: String
    private(set) var feed: Result<TraceFeed, TraceError>

    init(path: String) {
      self.path = path
      feed = .failure(.notFound(path: path))
    }

    func open(_ step: Int?) {
      do throws(TraceError) {
        feed = .success(try TraceFeed(path: path, restingStep: step))
      } catch {
        feed = .failure(error)
      }
    }
  }
}
