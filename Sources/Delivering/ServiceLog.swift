internal import Dispatch
internal import Glibc
package import Logging
internal import Text

/// Passes messages for the developer to a logger, on a separate queue.
///
/// The logger is called without a lock of ours, and no caller waits for it. So it may wait for any
/// thread, including the main thread, and take any lock.
package struct ServiceLog: Sendable {
  private static let queue = DispatchQueue(label: "waymark.log")
  private let logger: Logger

  package init(_ logger: Logger) {
    _ = Self.exitHandler
    self.logger = logger
  }

  /// Waits for the lines at the normal exit of the process.
  ///
  /// Such handlers run in reverse order: those that log, and are added later, run before it.
  private static let exitHandler: Void = {
    atexit { ServiceLog.drain(within: ServiceLog.patience) }
  }()

  /// The longest wait for the logger at exit, seconds: one that waits for this thread must not keep the
  /// process from exiting.
  private static let patience = 1.0

  /// Logs a line as a warning, after all earlier lines.
  package func callAsFunction(_ line: String) {
    Self.queue.async { [logger] in logger.warning("\(line.withoutControls)") }
  }

  /// Waits until all lines so far have been logged; false when that takes longer than `seconds`.
  ///
  /// A logger that waits for the calling thread takes all of that time.
  @discardableResult
  package static func drain(within seconds: Double = .infinity) -> Bool {
    let isLogged = DispatchSemaphore(value: 0)
    queue.async { isLogged.signal() }
    return isLogged.wait(timeout: seconds.isFinite ? .now() + seconds : .distantFuture) == .success
  }
}

/// Passes the messages of a logger to a function.
package struct FunctionLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel = Logger.Level.info
  package let receive: @Sendable (String) -> Void

  package init(_ receive: @escaping @Sendable (String) -> Void) { self.receive = receive }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) { receive(event.message.description) }
}
