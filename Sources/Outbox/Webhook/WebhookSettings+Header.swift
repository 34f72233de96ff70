internal import Foundation

extension WebhookSettings.Header {
  /// The value for an event, in UTF-8; control characters become spaces, so a device's name adds no
  /// header.
  func text(for delivery: Delivery, in zone: TimeZone) -> String {
    value.text(for: delivery, in: zone).spacingControls.trimmingCharacters(in: .whitespaces)
  }
}
