import Foundation
import TestSupport
import Testing

/// Runs the tests of a suite on threads of their own, as many at once as there are cores.
///
/// They wait for programs, and would keep the few threads of tasks from all other tests meanwhile.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadExecutor.shared) { try await body() }
  }
}

extension Trait where Self == OwnThreads {
  static var ownThreads: OwnThreads { OwnThreads() }
}

/// Gives each job a thread, which waits for its turn.
private final class ThreadExecutor: TaskExecutor {
  static let shared = ThreadExecutor()

  private let turns = DispatchSemaphore(value: ProcessInfo.processInfo.activeProcessorCount)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in
      // A job that never got its turn runs all the same: its test then says what it waited for.
      let hasTurn = turns.waitInTime()
      defer { if hasTurn { turns.signal() } }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
