package import Foundation

/// Makes the couriers of receivers.
package enum CourierFactory {
  /// The courier of a receiver.
  ///
  /// - Throws: What is wrong with its files, such as a damaged secret.
  package static func make(_ receiver: ReceiverSettings, zone: TimeZone) throws -> any Courier {
    switch receiver.channel {
    case .webhook(let settings): try WebhookCourier(settings, zone: zone)
    case .command(let settings): CommandCourier(settings, zone: zone)
    }
  }
}
