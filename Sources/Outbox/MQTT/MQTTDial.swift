internal import Locking
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
    _ connection: MQTTConnection, to host: String, port: Int, keepAlive: Int32
  ) throws(SystemError) {
    waker = try Waker()
    self.connection = connection
    try DetachedThread.start { [self] in
      let result = connection.connect(to: host, port: Int32(clamping: port), keepAlive: keepAlive)
      code.withLock { $0 = result }
      waker.wake()
    }
  }

  /// Whether the thread has ended.
  var isFinished: Bool { code.withLock { $0 != nil } }

  /// The connection, to which CONNECT was sent; nil while it opens.
  func result() throws(MQTTFailure) -> MQTTConnection? {
    guard let code = code.withLock({ $0 }) else { return nil }
    guard code == 0 else { throw .unreachable(connection.text(code)) }
    return connection
  }
}
