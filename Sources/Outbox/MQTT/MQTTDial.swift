internal import Locking
internal import Settings
internal import System

/// Opens a connection on a thread of its own: the lookup of a name and connect(2) block.
final class MQTTDial: Sendable {
  /// Readable when there is a result.
  var descriptor: Int32 { waker.descriptor }
  private let waker: Waker
  private let connection: MQTTConnection
  private let code = Mutex<Int32?>(nil)

  /// Starts the thread, which keeps this object alive.
  init(
    _ connection: MQTTConnection, to settings: BrokerSettings, keepAlive: Int32
  ) throws(MQTTFailure) {
    self.connection = connection
    do throws(SystemError) {
      waker = try Waker()
      try DetachedThread.start { [self] in
        let result = connection.connect(
          to: settings.host, port: Int32(clamping: settings.port), keepAlive: keepAlive)
        code.withLock { $0 = result }
        waker.wake()
      }
    } catch {
      throw .unreachable("no thread for the connection: \(error)")
    }
  }

  /// Opens a connection and closes it.
  static func probe(
    _ settings: BrokerSettings, password: String?, id: String, limits: MQTTLimits, _ wait: MQTTWait
  ) throws(MQTTFailure) {
    let connection = try MQTTConnection(settings, password: password, id: id)
    try MQTTDial(connection, to: settings, keepAlive: limits.keepAlive)
      .open(within: limits.connect, wait).disconnect(within: limits.close)
  }

  /// Whether the thread has ended.
  var isFinished: Bool { code.withLock { $0 != nil } }

  /// Waits until the broker has accepted the connection.
  func open(within limit: Duration, _ wait: MQTTWait) throws(MQTTFailure) -> MQTTConnection {
    let deadline = ContinuousClock.now + limit
    while true {
      if let connection = try result() {
        try connection.acceptance(until: deadline, wait)
        return connection
      }
      guard ContinuousClock.now < deadline else { throw .unreachable(MQTTConnection.noAnswer) }
      _ = try wait.wait(for: descriptor, .read, until: deadline)
    }
  }

  /// The connection, which sends CONNECT; nil while it opens.
  private func result() throws(MQTTFailure) -> MQTTConnection? {
    guard let code = code.withLock({ $0 }) else { return nil }
    guard code == 0 else { throw .unreachable(connection.text(code)) }
    return connection
  }
}
