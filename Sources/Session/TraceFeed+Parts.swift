internal import Receivers
internal import Text
internal import Traces

/// The files of a rotated recording as one trace.
extension TraceFeed {
  /// A file of a recording, and the lines of those before it.
  struct File {
    var path: String
    var linesBefore: Int
  }

  /// The number of files that it reads.
  package var fileCount: Int { max(files.count, 1) + followers.count }

  /// The file and the line there of a line of the trace, as ``TracePoint/line`` counts them.
  package func place(ofLine line: Int) -> (path: String, line: Int) {
    guard let file = files.last(where: { $0.linesBefore < line }) else { return (path, line) }
    return (file.path, line - file.linesBefore)
  }

  /// An issue with its file and its line there.
  func located(_ issue: TraceIssue) -> TraceIssue {
    guard !files.isEmpty else { return issue }
    var issue = issue
    (issue.file, issue.line) = place(ofLine: issue.line)
    return issue
  }

  /// What is read as one trace, if a file is a part of it.
  private struct Recording: Hashable {
    var name: String
    var device: ExactText?
  }

  /// Joins the files of each recording that follow one another: the first one reads the others, which are
  /// its followers.
  ///
  /// A second file with the same number, such as a copy, stays as it is. What a pattern gives to
  /// another device does, too.
  ///
  /// - Parameter remark: Called with a message about missing files between others.
  /// - Complexity: O(n log n) for n feeds.
  static func join(_ feeds: [TraceFeed], _ remark: (String) -> Void) {
    var recordings: [Recording: [(part: RecordingPart, feed: TraceFeed)]] = [:]
    var order: [Recording] = []
    for feed in feeds {
      guard let part = feed.part, feed.progress.total != nil else { continue }
      let recording = Recording(name: part.recording, device: feed.pathDevice.map(ExactText.init))
      if recordings[recording] == nil { order.append(recording) }
      recordings[recording, default: []].append((part, feed))
    }
    for recording in order {
      let files = (recordings[recording] ?? []).sorted { $0.part.number < $1.part.number }
      guard var (last, lead) = files.first else { continue }
      var followers: [TraceFeed] = []
      for (part, feed) in files.dropFirst() where part.number != last.number {
        if part.follows(last) {
          followers.append(feed)
          feed.isFollower = true
        } else {
          remark(missing(last.number + 1..<part.number, before: feed))
          lead.followers = followers
          (lead, followers) = (feed, [])
        }
        last = part
      }
      lead.followers = followers
    }
  }

  private static func missing(_ parts: Range<Int>, before feed: TraceFeed) -> String {
    let first = parts.lowerBound
    let what =
      parts.count == 1
      ? "part \(first) of its recording is"
      : "parts \(first) to \(parts.upperBound - 1) of its recording are"
    return "\(feed.path): \(what) missing before it, so it is read as a recording of its own"
  }
}
