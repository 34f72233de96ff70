internal import NIOCore
internal import Session

/// What the server that devices report to knows; it is used on one event loop only.
final class IntakeHub: ServerHub {
  let token: WebToken?
  let limits: IntakeLimits
  let inbox: ReportInbox
  private var clients: [ObjectIdentifier: IntakeConnection] = [:]
  private var heart: RepeatedTask?

  init(_ loop: any EventLoop, token: WebToken?, inbox: ReportInbox, limits: IntakeLimits) {
    (self.token, self.inbox, self.limits) = (token, inbox, limits)
    let beat = TimeAmount(limits.beat)
    // The timer keeps the hub until it is stopped.
    let hub = NIOLoopBound(self, eventLoop: loop)
    heart = loop.scheduleRepeatedTask(initialDelay: beat, delay: beat) { _ in
      for client in Array(hub.value.clients.values) { client.takeBeat() }
    }
  }

  /// Adds a connection; false when there are too many.
  func add(_ client: IntakeConnection) -> Bool {
    guard clients.count < limits.clients else { return false }
    clients[ObjectIdentifier(client)] = client
    return true
  }

  func remove(_ client: IntakeConnection) { clients[ObjectIdentifier(client)] = nil }

  func stop() {
    heart?.cancel()
    for client in clients.values { client.drop() }
  }
}
