package import System

/// Why nothing can be recorded to a file.
package enum RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  case cannotOpen(path: String, SystemError)
  case notAFile(path: String)
  /// Another program is recording to it.
  case inUse(path: String)
  /// A complete file cannot get its name.
  case cannotRename(path: String, SystemError)

  package var description: String {
    switch self {
    case .cannotOpen(let path, let fault): "\(path): cannot record: \(fault)"
    case .notAFile(let path): "\(path): cannot record: it is no regular file, name another one"
    case .inUse(let path):
      "\(path): cannot record: another program is recording to it, name another file"
    case .cannotRename(let path, let fault): "cannot rename a recording to \(path): \(fault)"
    }
  }
}

/// What happened to a recording that the user should know.
package enum RecordingNotice: Sendable, Hashable, CustomStringConvertible {
  /// Lines are lost from now on.
  case failing(path: String, SystemError)
  /// They are written again; so many were lost.
  case resumed(path: String, lost: Int)
  /// A file is complete; the recording goes on in a new one.
  case rotated(to: String)
  /// A new file cannot be begun; the recording goes on in the old one.
  case notRotated(RecordingError)

  package var description: String {
    switch self {
    case .failing(let path, let fault):
      "\(path): \(fault): lines are lost until it can be written again"
    case .resumed(let path, let lost): "\(path): written again; \(lost) lines were lost"
    case .rotated(let path): "\(path) is complete"
    case .notRotated(let error): "\(error); the recording goes on in the old file"
    }
  }
}
