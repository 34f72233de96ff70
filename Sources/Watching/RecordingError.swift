internal import Session
package import System

/// Why a file cannot be used for a recording.
package enum RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  case cannotOpen(path: String, SystemError)
  case notAFile(path: String)
  /// It has something else than a recording.
  case foreign(path: String)
  /// It has a recording, and a new one cannot begin in it.
  case occupied(path: String)
  /// Another program is recording to it.
  case inUse(path: String)
  /// A complete file cannot be renamed.
  case cannotRename(path: String, SystemError)

  /// The error of a file that the user named by a link.
  func naming(_ link: String, for target: String) -> Self {
    switch self {
    case .cannotOpen(target, let error): .cannotOpen(path: link, error)
    case .notAFile(target): .notAFile(path: link)
    case .foreign(target): .foreign(path: link)
    case .occupied(target): .occupied(path: link)
    case .inUse(target): .inUse(path: link)
    default: self
    }
  }

  package var description: String {
    switch self {
    case .cannotOpen(let path, let error): "\(path): cannot record: \(error)"
    case .notAFile(let path): "\(path): cannot record: not a regular file; name another file"
    case .foreign(let path):
      "\(path): not a recording, so it is left as it is; name another file to record to"
    case .occupied(let path):
      "\(path): has a recording, so it is left as it is; give it another name, as a new file is made there"
    case .inUse(let path):
      "\(path): cannot record: another program is recording to it, name another file"
    case .cannotRename(let path, let error): "cannot rename a recording to \(path): \(error)"
    }
  }
}

/// A notice about a recording for the user.
package enum RecordingNotice: Sendable, Hashable, CustomStringConvertible {
  /// Lines cannot be written and are lost from now on.
  case failing(path: String, SystemError)
  /// They are writing again; so many were lost.
  case resumed(path: String, lost: Int)
  /// A file is complete; the recording continues in a new one.
  case rotated(to: String)
  /// A new file cannot be created; the recording continues in the old one.
  case notRotated(RecordingError)

  package var description: String {
    switch self {
    case .failing(let path, let error):
      "\(path): \(error): lines are lost until writing succeeds"
    case .resumed(let path, let lost):
      "\(path): writing again; \(SessionTotals.count(lost, "line was", "lines were")) lost"
    case .rotated(let path): "\(path) is complete"
    case .notRotated(let error): "\(error); recording continues in the old file"
    }
  }
}
