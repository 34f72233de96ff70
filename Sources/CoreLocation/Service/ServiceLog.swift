internal import Dispatch
internal import Logging
internal import Text

/// Passes messages for the developer to a logger, on a separate queue.
///
/// The logger is called without a lock of ours, and no caller waits for it. So it may wait for any
/// thread, including the main thread, and take any lock.
struct ServiceLog: Sendable {
  private static let queue = DispatchQueue(label: "waymark.log")
  private let logger: Logger

  init(_ logger: Logger) { self.logger = logger }

  /// Logs a line as a warning, after all earlier lines.
  func callAsFunction(_ line: String) {
    Self.queue.async { [logger] in logger.warning("\(line.withoutControls)") }
  }

  /// Waits until all lines so far have been logged; false when that takes longer than `seconds`.
  ///
  /// A logger that waits for the calling thread takes all of that time.
  @discardableResult
  static func drain(within seconds: Double = .infinity) -> Bool {
    let isLogged = DispatchSemaphore(value: 0)
    queue.async { isLogged.signal() }
    return isLogged.wait(timeout: seconds.isFinite ? .now() + seconds : .distantFuture) == .success
  }
}

/// Passes the messages of a logger to a function.
struct FunctionLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info
  let receive: @Sendable (String) -> Void

  init(_ receive: @escaping @Sendable (String) -> Void) { self.receive = receive }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { receive(event.message.description) }
}
