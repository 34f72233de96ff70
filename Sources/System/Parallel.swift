internal import Dispatch
internal import Synchronization

/// Jobs that do not depend on each other, done on several threads.
package enum Parallel {
  /// Does the jobs `0..<count` and returns when all are done; which thread does which is chance.
  ///
  /// - Parameters:
  ///   - threads: How many threads take jobs, one after the other.
  ///   - body: Does a job, on the thread with a number below `threads`, which does one at a time. It
  ///     changes nothing that another job or thread reads or changes.
  package static func forEach(
    _ count: Int, threads: Int, _ body: @escaping (_ job: Int, _ thread: Int) -> Void
  ) {
    let threads = min(threads, count)
    guard threads > 1 else {
      for job in 0..<count { body(job, 0) }
      return
    }
    let next = Atomic(0)
    // Safe: what a job changes is its own or its thread's, as asked for above, and all of it is
    // handed back when the call returns, which waits for every thread.
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
