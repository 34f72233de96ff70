package import Traces

/// An error that keeps a server from starting or from playing to the end.
package enum ServingError: Error, CustomStringConvertible {
  /// The server cannot listen on the address.
  case address(String, reason: String)
  /// A trace cannot be read further; the fixes before were served.
  case trace(TraceError)
  /// ``FeedServer/stop()`` was called.
  case stopped

  package var description: String {
    switch self {
    case .address(let address, let reason): "cannot listen on \(address): \(reason)"
    case .trace(let error): error.description
    case .stopped: "stopped"
    }
  }
}
