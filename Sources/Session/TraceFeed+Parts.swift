internal import Receivers
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

  /// Joins the files of each recording that follow one another.
  ///
  /// A second file with the same number, such as a copy, stays as it is. What a pattern gives to
  /// another device does, too.
  ///
  /// - Parameter remark: Called with a message about missing files between others.
  /// - Returns: The feeds that others read now.
  static func join(_ feeds: [TraceFeed], _ remark: (String) -> Void) -> Set<ObjectIdentifier> {
    var recordings: [[String]: [(part: RecordingPart, feed: TraceFeed)]] = [:]
    var order: [[String]] = []
    for feed in feeds {
      guard let part = feed.part, feed.progress.total != nil else { continue }
      let key = [part.recording] + (feed.pathDevice.map { [$0] } ?? [])
      if recordings[key] == nil { order.append(key) }
      if recordings[key, default: []].contains(where: { $0.part.number == part.number }) {
        continue
      }
      recordings[key, default: []].append((part, feed))
    }
    var joined: Set<ObjectIdentifier> = []
    for key in order {
      let files = (recordings[key] ?? []).sorted { $0.part.number < $1.part.number }
      guard var (last, lead) = files.first else { continue }
      var followers: [TraceFeed] = []
      for (part, feed) in files.dropFirst() {
        if part.follows(last) {
          followers.append(feed)
          joined.insert(ObjectIdentifier(feed))
        } else {
          remark(missing(last.number + 1..<part.number, before: feed))
          lead.followers = followers
          (lead, followers) = (feed, [])
        }
        last = part
      }
      lead.followers = followers
    }
    return joined
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
