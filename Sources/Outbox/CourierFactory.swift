package import Foundation

/// Makes the couriers of receivers.
package struct CourierFactory: Sendable {
  package let zone: TimeZone
  package let fences: CurrentFences
  private let store: String

  /// A broker gets so many fences at most, for each device.
  private static let mostFences = 1_000

  /// - Parameters:
  ///   - zone: That of times in messages.
  ///   - store: The path of the store whose events are delivered.
  package init(zone: TimeZone, store: String, fences: CurrentFences) {
    self.zone = zone
    self.store = store
    self.fences = fences
  }

  /// The courier of a receiver.
  ///
  /// - Throws: What is wrong with its files, such as a damaged secret.
  package func make(_ receiver: ReceiverSettings) throws -> any Courier {
    switch receiver.channel {
    case .webhook(let settings): return try WebhookCourier(settings, zone: zone)
    case .command(let settings): return CommandCourier(settings, zone: zone)
    case .mqtt(let settings):
      let presence = StorePresence(receiver, store: store, fences)
      let count = presence.fences().count
      guard count <= Self.mostFences else {
        throw ReceiverError.fences(count: count, limit: Self.mostFences)
      }
      return try MQTTCourier(settings, name: receiver.name, store: store, source: presence)
    }
  }
}
