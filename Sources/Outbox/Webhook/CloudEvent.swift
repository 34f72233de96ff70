internal import HTTP
internal import Text

/// An event as JSON of CloudEvents 1.0, with the line of the event log as its data.
///
/// The extensions are those of the specification: `recordedtime`, `partitionkey`, `sequence`.
///
/// Source: https://github.com/cloudevents/spec, its JSON event format and its extensions.
enum CloudEvent {
  static let contentType = "application/cloudevents+json"

  /// - Parameter source: What made the event, a URI.
  static func json(of delivery: Delivery, source: String) -> [UInt8] {
    let event = delivery.event
    let sequence = String(delivery.sequence)
    let members: [(name: String, value: String?)] = [
      ("id", delivery.id),
      ("source", source),
      ("type", "io.waymark." + event.type.replacing("-", with: "_")),
      ("time", event.time),
      ("subject", event.fence.map { "\(event.device)/\($0)" } ?? event.device),
      ("recordedtime", event.decided),
      ("partitionkey", event.device),
      // Compared as text.
      ("sequence", String(repeating: "0", count: max(0, 20 - sequence.count)) + sequence),
      ("datacontenttype", "application/json"),
    ]
    var json = Array(#"{"specversion":"1.0""#.utf8)
    for (name, value) in members {
      guard let value else { continue }
      json += Array(#","\#(name)":"#.utf8)
      JSONText.append(value, to: &json)
    }
    return json + Array(#","data":\#(delivery.json)}"#.utf8)
  }

  /// The source of events of a machine without one in its config, such as `urn:waymark:boat`.
  static func source(hostName: String) -> String {
    "urn:waymark:" + hostName.percentEncoded
  }
}
