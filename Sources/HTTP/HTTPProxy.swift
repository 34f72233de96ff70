package import Foundation

/// The proxy that the environment names for a server, by libcurl's rules.
///
/// The program chooses the proxy itself, so it can name it before the first request. A server on
/// this machine never has one: its requests do not leave the machine.
///
/// Source: https://curl.se/libcurl/c/libcurl-env.html.
package struct HTTPProxy: Sendable, Hashable {
  /// The address as the variable has it, which may hold a password.
  package let address: String

  /// The proxy for a URL; nil if the server is reached directly.
  ///
  /// The variables are `http_proxy` or `https_proxy`, `HTTPS_PROXY`, then `all_proxy`, `ALL_PROXY`.
  /// `no_proxy` or `NO_PROXY` lists exceptions.
  package init?(for url: URL, in environment: [String: String]) {
    guard let host = url.host, !HTTPHost(host).isThisMachine else { return nil }
    let own = url.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    let proxies = (own + ["all_proxy", "ALL_PROXY"]).compactMap { environment[$0] }
    guard let address = proxies.first(where: { !$0.isEmpty }) else { return nil }
    let exceptions = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    guard exceptions != "*" else { return nil }
    let names = exceptions.split { $0 == "," || $0.isWhitespace }
    guard !names.contains(where: { HTTPHost(host).isWithin($0) }) else { return nil }
    self.address = address
  }

  /// The address without a user and a password, for messages.
  package var name: String {
    let hasScheme = address.contains("://")
    return URLComponents(string: hasScheme ? address : "http://\(address)")?.serverName
      ?? "(an address that cannot be read)"
  }
}
