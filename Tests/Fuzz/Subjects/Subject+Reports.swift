@testable import Formats
import Receivers
@testable import Serving
import Tracking
import Traces
@testable import Watching

extension Subject {
  /// What phones and trackers report.
  ///
  /// The first line of an input is the address of a request, or the topic of a message; the rest is the body.
  static let reports = [
    Subject(name: "report-request", decodes: "reports of phones by HTTP: an address and a body") {
      bytes in
      let (address, body) = parts(bytes)
      let request = IntakeRequest(
        request: WebRequest(
          method: "POST", uri: address, headers: [("host", "localhost"), ("x-limit-u", "jane")]))
      guard request.refusal(nil) == nil, let message = try? request.message(body) else {
        return false
      }
      return try check(message)
    },
    Subject(name: "report-message", decodes: "messages of a broker: a topic and a payload") {
      bytes in
      let (topic, payload) = parts(bytes)
      guard let message = try? ReportMessage(published: payload, under: topic) else {
        return false
      }
      try hold("only OwnTracks publishes", message.dialect == .ownTracks)
      let prefix = "owntracks/"
      let name =
        topic.hasPrefix(prefix) && topic != prefix ? String(topic.dropFirst(prefix.count)) : topic
      try hold("the topic names the device", message.reports.allSatisfy { $0.device == name })
      try hold(
        "a message has positions, or a type that is ignored",
        message.reports.isEmpty || message.ignored == nil)
      return try check(message)
    },
  ]

  private static func parts(_ bytes: [UInt8]) -> (first: String, rest: [UInt8]) {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[end...].dropFirst()))
  }

  private static func check(_ message: ReportMessage) throws -> Bool {
    for (device, fixes) in message.reports {
      try hold(
        "a name is short and plain",
        !device.isEmpty && device.utf8.count <= ReportMessage.longestName
          && device.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, device)
      for fix in fixes {
        let line = RecordingHeader.line(fix)
        let read = recorded(line, of: device)
        try hold(
          "a position in a recording is read, and recorded again the same",
          read.map { RecordingHeader.line($0) } == [line], String(decoding: line, as: UTF8.self))
      }
    }
    return !message.reports.isEmpty
  }

  /// The fixes of a line in the recording of a device.
  private static func recorded(_ line: [UInt8], of device: String) -> [Fix] {
    let header = #"{"class":"WAYMARK","recording":1,"source":"http://127.0.0.1:8090"}"# + "\n"
    let bytes = Array(header.utf8) + RecordingHeader.line(of: device) + line
    var (decoder, batch) = (ReceiverLogDecoder(), TraceBatch())
    _ = decoder.decode(bytes.span, isFinal: true, into: &batch)
    return batch.points.map(\.fix)
  }
}
