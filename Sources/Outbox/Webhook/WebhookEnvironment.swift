package import Foundation
internal import System

/// What a webhook needs of the machine; tests replace it.
package struct WebhookEnvironment: Sendable {
  /// The time of day.
  package var now: @Sendable () -> Date = { Date() }
  /// Whether the time of day can be trusted.
  package var isClockSynchronised: @Sendable () -> Bool = { SystemClock.isSynchronised }
  /// The variables that name a proxy, and the folder of credentials.
  package var variables = ProcessInfo.processInfo.environment
  package var hostName = HostName.current
  /// After so long without a byte an attempt fails, seconds; so it does after twice as long in all.
  package var timeout = 15

  package init() {}
}
