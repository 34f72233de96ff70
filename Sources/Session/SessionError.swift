package import System
package import Traces

/// Why a session ended early.
package enum SessionError: Error, Sendable, CustomStringConvertible {
  /// A track could not be opened or read.
  case trace(TraceError)
  /// The events could not be written.
  case output(OutputError)
  /// The events could not be kept in a store.
  case store(EntryStoreError)
  /// More would be held in memory than may be; the text says what to do.
  case limit(String)

  /// Runs `body` and wraps its error.
  package static func writing(
    _ body: () throws(OutputError) -> Void
  ) throws(SessionError) {
    do throws(OutputError) {
      try body()
    } catch {
      throw .output(error)
    }
  }

  /// Runs `body` and wraps its error.
  package static func storing(
    _ body: () throws(EntryStoreError) -> Void
  ) throws(SessionError) {
    do throws(EntryStoreError) {
      try body()
    } catch {
      throw .store(error)
    }
  }

  package var description: String {
    switch self {
    case .trace(let error): error.description
    case .output(let error): error.description
    case .store(let error): error.description
    case .limit(let text): text
    }
  }
}
