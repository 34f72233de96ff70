/// What is known of the sender of a message besides the message itself.
package struct ReportSender: Sendable, Hashable {
  /// The name of the device that the address or a header names; nil for none.
  package var device: String?

  /// A sender by the names of a user and of a device, of which each may be missing.
  package init(user: String? = nil, device: String? = nil) {
    let names = [user, device].compactMap(\.self).filter { !$0.isEmpty }
    self.device = names.isEmpty ? nil : names.joined(separator: "/")
  }

  /// A sender by a topic of OwnTracks, such as `owntracks/jane/phone`.
  package init(topic: String) { device = Self.name(ofTopic: topic) }

  /// `jane/phone` of `owntracks/jane/phone`; other names stay as they are.
  static func name(ofTopic topic: String) -> String {
    let prefix = "owntracks/"
    return topic.hasPrefix(prefix) && topic.utf8.count > prefix.utf8.count
      ? String(topic.dropFirst(prefix.count)) : topic
  }
}
