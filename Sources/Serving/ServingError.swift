package import Traces

/// Why a server could not be started, or did not get to its end.
package enum ServingError: Error, CustomStringConvertible {
  /// The address could not be listened on.
  case address(String, reason: String)
  /// A trace could not be read on; what came before was served.
  case trace(TraceError)
  /// Somebody stopped it.
  case stopped

  package var description: String {
    switch self {
    case .address(let address, let reason): "cannot listen on \(address): \(reason)"
    case .trace(let error): error.description
    case .stopped: "stopped"
    }
  }
}
