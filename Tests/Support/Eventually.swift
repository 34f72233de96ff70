package import Dispatch
package import Foundation
internal import Glibc

/// How long tests wait for what must happen: longer than all tests together take on a busy machine.
///
/// The runner starts many tests at once, on as many threads as there are processors. Whoever waits may
/// get a thread again only when all tests that need one for long have ended. The limits of time of single
/// tests, which count that too, are longer still.
package let patience = Duration.seconds(3_600)

/// ``patience`` in milliseconds, for poll(2).
package let patienceInMilliseconds: Int32 = 3_600_000

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
