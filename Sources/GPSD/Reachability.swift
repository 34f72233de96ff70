package import Receivers
internal import Glibc
internal import System

/// Whether a server accepts connections at the address of a gpsd.
///
/// It blocks for `limit` at most. Only numeric addresses and `localhost` are tried; other host names
/// count as reachable, because resolving them may take longer.
package func isReachable(_ address: GPSDAddress, within limit: Duration) -> Bool {
  let hosts = address.host.lowercased() == "localhost" ? ["127.0.0.1", "::1"] : [address.host]
  let addresses = hosts.compactMap {
    try? SocketAddress.all(host: $0, port: address.port, isNumeric: true)
  }.joined()
  guard !addresses.isEmpty else { return true }
  let end = ContinuousClock.now + limit
  return addresses.contains { connects(to: $0, until: end) }
}

private func connects(to address: SocketAddress, until end: ContinuousClock.Instant) -> Bool {
  guard let socket = try? LinkSocket(connectingTo: address) else { return false }
  var poller = Poller()
  repeat {
    poller.removeAll()
    let slot = poller.add(socket.descriptor, .write)
    poller.wait(until: end)
    if !poller.ready(slot).isEmpty { return (try? socket.checkConnected()) != nil }
  } while ContinuousClock.now < end
  return false
}
