internal import Glibc
internal import System

/// Whether somebody takes connections where gpsd is to be.
///
/// It blocks for `limit` at most. Only a numeric address and this machine's own name are tried;
/// the name of another host is taken for good, as to resolve it may take longer.
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
