internal import Foundation

extension WebhookSettings.Header {
  /// Whether the name is one of RFC 9110 (section 5.1), and not one that libcurl or a signature sets.
  package var canBeSet: Bool {
    let marks = Array("!#$%&'*+-.^_`|~".utf8)
    return !name.isEmpty
      && name.utf8.allSatisfy { byte in
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte & 0xDF || marks.contains(byte)
      } && !Self.reserved.contains(name.lowercased())
  }

  private static let reserved: Set = [
    "connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding",
    "upgrade", "webhook-id", "webhook-signature", "webhook-timestamp",
  ]

  /// The value for an event, in UTF-8; control characters become spaces, so a device's name adds no
  /// header.
  func text(for delivery: Delivery, in zone: TimeZone) -> String {
    value.text(for: delivery, in: zone).spacingControls.trimmingCharacters(in: .whitespaces)
  }
}
