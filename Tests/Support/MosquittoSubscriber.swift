internal import Foundation
internal import Glibc

/// A message that a subscriber got.
package struct MosquittoMessage: Decodable, Hashable {
  package var topic: String
  package var payload: String?
  package var retain: Int
  package var qos: Int
  package var properties: Properties?

  package struct Properties: Decodable, Hashable {
    package var contentType: String?
    package var user: [String: String]?

    package init(contentType: String?, user: [String: String]?) {
      self.contentType = contentType
      self.user = user
    }

    enum CodingKeys: String, CodingKey {
      case contentType = "content-type"
      case user = "user-properties"
    }
  }
}

/// mosquitto_sub, on all topics; it connects again after the broker was away.
package final class MosquittoSubscriber {
  private let folder: ScratchFolder
  private let process = Process()

  /// Subscribes, and returns when the broker has confirmed it.
  ///
  /// - Parameter session: The name of a session that lasts while the subscriber is away; properties are
  ///   not reported then.
  package init(_ broker: MosquittoBroker, session: String? = nil) throws {
    folder = try ScratchFolder()
    try folder.write("output", "")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/stdbuf")
    process.arguments =
      [
        "-oL", "/usr/bin/mosquitto_sub", "-d", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "#",
        "-q", "1", "-F", "%j",
      ]
      + (session.map { ["-V", "mqttv311", "-c", "-i", $0] }
        ?? ["-V", "mqttv5", "--retain-as-published"])
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: folder.file("output"))
    process.standardError = FileHandle.nullDevice
    try process.run()
    try blockUntil("a subscription") { try subscriptions() > 0 }
  }

  /// How often the broker has confirmed the subscription; all that waited was sent before.
  package func subscriptions() throws -> Int {
    try folder.read("output").components(separatedBy: "\nSubscribed (mid").count - 1
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      try? process.waitForEnd()
    }
  }

  /// Everything so far.
  package func messages() throws -> [MosquittoMessage] {
    let lines = try folder.read("output").split(separator: "\n", omittingEmptySubsequences: true)
    return lines.filter { $0.hasPrefix("{") && $0.hasSuffix("}") }.compactMap {
      try? JSONDecoder().decode(MosquittoMessage.self, from: Data($0.utf8))
    }
  }

  /// The messages, as soon as `isEnough`.
  @discardableResult
  package func messages(
    until what: String, _ isEnough: ([MosquittoMessage]) -> Bool
  ) throws -> [MosquittoMessage] {
    var messages: [MosquittoMessage] = []
    try blockUntil(what) {
      messages = try self.messages()
      return isEnough(messages)
    }
    return messages
  }
}
