package import Formats
internal import System
package import Traces

extension TraceFeed {
  /// The most files held open at a time; when there are more, each is closed between reads.
  private static let mostOpen = 64
  /// The bytes read at a time from files that are closed between reads: of all files together, and
  /// the least of each file.
  private static let restingBytes = 32 << 20
  private static let leastStep = 4 << 10

  /// Opens several traces, so a wrong name is reported before anything is played.
  ///
  /// - Parameters:
  ///   - options: What the user knows of all of them.
  ///   - threads: The number of threads.
  /// - Throws: The error of the first trace that has one.
  package static func open(
    _ paths: [String], options: ReadingOptions = ReadingOptions(), threads: Int = 1
  ) throws(TraceError) -> [TraceFeed] {
    let step =
      paths.count > mostOpen
      ? max(leastStep, min(TraceReader.step, restingBytes / paths.count)) : nil
    // Standard input may make the program wait; a wrong name before it must be reported first.
    guard threads > 1, !paths.contains("-") else {
      return try paths.map { (path) throws(TraceError) in
        try TraceFeed(path: path, options: options, restingStep: step)
      }
    }
    let openings = paths.map { Opening(path: $0) }
    Parallel.forEach(paths.count, threads: threads) { job, _ in openings[job].open(options, step) }
    return try openings.map { (opening) throws(TraceError) in try opening.feed.get() }
  }

  /// The result of opening a file on one of several threads.
  private final class Opening {
    private let path: String
    private(set) var feed: Result<TraceFeed, TraceError>

    init(path: String) {
      self.path = path
      feed = .failure(.notFound(path: path))
    }

    func open(_ options: ReadingOptions, _ step: Int?) {
      do throws(TraceError) {
        feed = .success(try TraceFeed(path: path, options: options, restingStep: step))
      } catch {
        feed = .failure(error)
      }
    }
  }
}
