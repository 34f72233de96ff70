/// Why a file cannot be used as a gazetteer.
public enum GazetteerError: Error, Sendable, Hashable {
  /// It cannot be read; the text has the reason.
  case unreadable(path: String, reason: String)
  /// It is something else.
  case notAGazetteer(path: String)
  /// It is of another version of the format.
  case unknownVersion(path: String, Int)
  /// It is truncated or was changed; the text is the reason.
  case damaged(path: String, String)
}

extension GazetteerError: CustomStringConvertible {
  /// What went wrong and what to do, as a sentence without its full stop.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .notAGazetteer(let path):
      "\(path) is not a gazetteer; expected a file that 'make gazetteer' built"
    case .unknownVersion(let path, let version):
      "\(path) is a gazetteer of version \(version), this program reads version "
        + "\(GazetteerFile.version); rebuild it with 'make gazetteer'"
    case .damaged(let path, let what):
      "\(path) is damaged: \(what); rebuild it with 'make gazetteer'"
    }
  }
}
