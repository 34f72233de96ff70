internal import Yams

/// The config's `sources` that subscribe at a broker.
extension ConfigurationReader {
  static let mqttForm = "{mqtt: …, topics: …}"

  mutating func subscription(_ node: Node, _ path: String) -> Configuration.Inlet? {
    mapping(node, path, known: BrokerSettings.keys + ["topics", "most"], expected: Self.mqttForm) {
      item in
      let broker = BrokerSettings.read(&item)
      let topics = Self.topics(&item)
      var most: Int?
      if let node = item["most"] {
        most = item.reader.mostDevices(node, item.path("most"))
        if most == nil { return nil }
      }
      guard let broker, let topics else { return nil }
      var inlet = Configuration.Inlet(.mqtt(broker, topics: topics))
      if let most { inlet.most = most }
      return inlet
    }
  }

  /// One filter of topics, or a list of them, each once.
  private static func topics(_ item: inout ConfigurationSectionReader) -> [String]? {
    let expected = "topics such as owntracks/+/+"
    guard item.has("topics") else { return ["owntracks/+/+"] }
    guard let topics = item.texts("topics", expected: expected) else { return nil }
    if topics.isEmpty {
      item.note(valueOf: "topics", found: "an empty list", expected: expected)
    }
    for (index, topic) in topics.enumerated() {
      if !isFilter(topic) {
        item.note(valueOf: "topics", found: "'\(topic)'", expected: expected)
      } else if topics[..<index].contains(topic) {
        item.note(valueOf: "topics", found: "'\(topic)' twice", expected: "each once")
      }
    }
    return topics
  }

  /// Whether a text is a filter of topics (MQTT 5, 4.7.1).
  private static func isFilter(_ text: String) -> Bool {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    let isWellFormed = levels.enumerated().allSatisfy { index, level in
      level == "+" || (level == "#" && index == levels.count - 1)
        || !level.contains { $0 == "+" || $0 == "#" }
    }
    return isWellFormed && text.utf8.count <= 1_000
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) }
  }
}
