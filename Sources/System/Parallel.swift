internal import Dispatch
internal import Glibc
internal import Synchronization

/// Jobs on several threads.
package enum Parallel {
  /// The number of processors that are online, at least 1.
  package static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Runs the jobs `0..<count` and returns when all are done.
  ///
  /// Any thread may run any job. Jobs begin in their order, so a job may wait at a ``Latch`` for one
  /// before it.
  ///
  /// - Parameters:
  ///   - threads: How many threads take jobs, one after the other.
  ///   - body: Runs a job, on the thread with a number below `threads`, which runs one job at a time.
  ///     It must not change anything that another job or thread uses, unless one waits for the other.
  package static func forEach(
    _ count: Int, threads: Int, _ body: @escaping (_ job: Int, _ thread: Int) -> Void
  ) {
    let threads = min(threads, count)
    guard threads > 1 else {
      for job in 0..<count { body(job, 0) }
      return
    }
    let next = Atomic(0)
    // Safe: a job changes only data of its own or of its thread, as required above, and the call
    // waits for every thread before it returns.
    nonisolated(unsafe) let body = body
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      while true {
        let job = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard job < count else { return }
        body(job, thread)
      }
    }
  }
}
