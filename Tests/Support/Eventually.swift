package import Dispatch
package import Foundation
internal import Glibc

/// How long tests wait for what must happen: so long that a busy machine fails no test, also when tests that
/// block hold all threads of tasks for some minutes.
package let patience = Duration.seconds(1_200)

/// What a test waited for did not happen in time.
package struct NeverHappened: Error, CustomStringConvertible {
  package let description: String
}

/// Waits until `holds` is true, and lets other tasks run meanwhile.
///
/// - Throws: ``NeverHappened`` with the words of `what` when `limit` has passed.
package func eventually(
  _ what: @autoclosure () -> String, within limit: Duration = patience,
  isolation: isolated (any Actor)? = #isolation, _ holds: () throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try !holds() {
    guard ContinuousClock.now < end else { throw neverHappened(what(), limit) }
    await Task.yield()
  }
}

/// Waits until `holds` is true, and blocks its thread meanwhile.
///
/// - Throws: ``NeverHappened`` with the words of `what` when `limit` has passed.
package func blockUntil(
  _ what: @autoclosure () -> String, within limit: Duration = patience,
  _ holds: () throws -> Bool
) throws {
  let end = ContinuousClock.now + limit
  while try !holds() {
    guard ContinuousClock.now < end else { throw neverHappened(what(), limit) }
    // Leaves the processor to what is waited for.
    poll(nil, 0, 1)
  }
}

extension DispatchSemaphore {
  /// Waits for the signal; false when none came for ``patience``.
  package func waitInTime() -> Bool {
    wait(timeout: .now() + .seconds(Int(patience.components.seconds))) == .success
  }
}

extension Process {
  /// Waits for the end of a program that was started, and ends it when it does not end by itself.
  ///
  /// - Throws: ``NeverHappened`` when `limit` has passed.
  package func waitForEnd(within limit: Duration = patience) throws {
    do {
      try blockUntil("the end of \(executableURL?.path ?? "a program")", within: limit) {
        !isRunning
      }
    } catch {
      kill(processIdentifier, SIGKILL)
      throw error
    }
    waitUntilExit()
  }
}

private func neverHappened(_ what: String, _ limit: Duration) -> NeverHappened {
  NeverHappened(description: "waited \(limit.components.seconds) s for \(what)")
}
