import Synchronization
import Testing

@testable import System

@Suite("Parallel jobs", .timeLimit(.minutes(90)))
struct ParallelTests {
  /// What the jobs did, in the order of time.
  private final class Record: Sendable {
    let jobs = Mutex<[Int]>([])
  }

  @Test("each run once, on any number of threads", arguments: [1, 2, 5])
  func once(threads: Int) {
    let done = Record()
    Parallel.forEach(100, threads: threads) { job, thread in
      #expect(thread >= 0 && thread < threads)
      done.jobs.withLock { $0.append(job) }
    }
    #expect(done.jobs.withLock { $0.sorted() } == Array(0..<100))
    Parallel.forEach(0, threads: threads) { _, _ in Issue.record("there is no job") }
  }

  @Test("wait at a latch for the job that opens it, all of them", arguments: [1, 2, 5])
  func latch(threads: Int) {
    let done = Record()
    let latch = Latch()
    Parallel.forEach(9, threads: threads) { job, _ in
      if job == 0 {
        done.jobs.withLock { $0.append(job) }
        latch.open()
      } else {
        latch.pass()
        done.jobs.withLock { $0.append(job) }
      }
    }
    latch.pass()
    let order = done.jobs.withLock { $0 }
    #expect(order.first == 0)
    #expect(order.sorted() == Array(0..<9))
  }
}
