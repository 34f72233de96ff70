internal import Glibc

/// Threads that are never joined.
package enum DetachedThread {
  /// Runs `body` on a new thread.
  ///
  /// - Throws: ``SystemError`` when the system refuses a thread.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let job = Unmanaged.passRetained(Job(run: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, job.toOpaque())
    guard code == 0 else {
      job.release()
      throw SystemError(code: code)
    }
    pthread_detach(thread)
  }

  private final class Job: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
