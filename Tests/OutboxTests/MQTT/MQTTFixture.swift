import TestSupport
import Testing
import Tracking

@testable import Outbox

/// Events and presence for the tests of brokers and dialects.
enum MQTTFixture {
  static func delivery(
    _ type: String = "enter", device: String = "van", fence: String? = "depot",
    sequence: Int64 = 1, more: String = ""
  ) throws -> Delivery {
    var members = [#""type":"\#(type)""#, #""id":"\#(MQTTName.hash("\(sequence)"))""#]
    members.append(#""device":"\#(device)""#)
    if let fence { members.append(#""fence":"\#(fence)""#) }
    members.append(#""time":"2026-05-04T05:45:11.909Z","decided":"2026-05-04T05:45:12.000Z""#)
    members.append(#""latitude":52.4562091,"longitude":13.3229710,"accuracy":4.64"#)
    let json = "{\(members.joined(separator: ","))\(more)}"
    return Delivery(
      sequence: sequence, event: try #require(OutgoingEvent(line: json)), json: json)
  }

  static func presence(
    _ device: String = "van", _ states: [String: Containment] = ["depot": .inside]
  ) throws -> DevicePresence {
    DevicePresence(
      device: device, states: states, lastEvent: try delivery(device: device).event)
  }

  static let depot = FenceSummary(id: "depot", latitude: 52.456, longitude: 13.323, radius: 150)
  static let harbour = FenceSummary(
    id: "old/harbour", latitude: 54.3, longitude: 10.1, radius: 80.4)
}

/// A presence that a test sets.
final class FixedPresence: PresenceSource {
  var all: [String: DevicePresence] = [:]
  var allFences = [MQTTFixture.depot]
  var former: [String] = []

  init(_ presences: DevicePresence...) {
    for presence in presences { all[presence.device] = presence }
  }

  func fences() -> [FenceSummary] { allFences }
  func formerFences() -> [String] { former }
  func presences() -> [DevicePresence] { all.values.sorted { $0.device < $1.device } }
  func presence(of device: String) -> DevicePresence {
    all[device] ?? DevicePresence(device: device)
  }
}
