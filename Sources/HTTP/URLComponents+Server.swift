package import Foundation

extension URLComponents {
  /// The scheme, the host and the port, for messages: everything else may be secret.
  ///
  /// Nil without a host.
  package var serverName: String? {
    guard host?.isEmpty == false else { return nil }
    var shown = self
    (shown.user, shown.password, shown.query, shown.fragment) = (nil, nil, nil, nil)
    shown.path = ""
    return shown.string
  }
}
