import Foundation
import Glibc
import TestSupport

/// A message that a subscriber got.
struct Received: Decodable, Hashable {
  var topic: String
  var payload: String?
  var retain: Int
  var qos: Int
  var properties: Properties?

  struct Properties: Decodable, Hashable {
    var contentType: String?
    var user: [String: String]?

    enum CodingKeys: String, CodingKey {
      case contentType = "content-type"
      case user = "user-properties"
    }
  }
}

/// mosquitto_sub, on all topics.
final class Subscriber {
  private let folder: ScratchFolder
  private let process = Process()

  /// Subscribes, and returns when the broker has confirmed it.
  init(_ broker: Broker, options: [String] = []) throws {
    folder = try ScratchFolder()
    try folder.write("output", "")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/stdbuf")
    process.arguments =
      [
        "-oL", "/usr/bin/mosquitto_sub", "-d", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "#",
        "-q", "1", "-V", "mqttv5", "--retain-as-published", "-F", "%j",
      ] + options
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: folder.file("output"))
    process.standardError = FileHandle.nullDevice
    try process.run()
    try blockUntil("a subscription") { try folder.read("output").contains("\nSubscribed (mid") }
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      try? process.waitForEnd()
    }
  }

  /// Everything so far.
  func messages() throws -> [Received] {
    let lines = try folder.read("output").split(separator: "\n", omittingEmptySubsequences: true)
    return lines.filter { $0.hasPrefix("{") && $0.hasSuffix("}") }.compactMap {
      try? JSONDecoder().decode(Received.self, from: Data($0.utf8))
    }
  }

  /// The messages, as soon as `isEnough`.
  @discardableResult
  func messages(
    until what: String, _ isEnough: ([Received]) -> Bool
  ) throws -> [Received] {
    var messages: [Received] = []
    try blockUntil(what) {
      messages = try self.messages()
      return isEnough(messages)
    }
    return messages
  }
}
