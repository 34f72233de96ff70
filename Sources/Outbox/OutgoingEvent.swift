internal import Foundation

/// The fields of an event in the event log, for messages and dialects.
///
/// Decoded from a line of the log, so a receiver and the log cannot differ.
package struct OutgoingEvent: Sendable, Hashable, Decodable {
  /// `enter`, `exit`, `dwell`, `state`, `visit`, `significant-change` or `problem`.
  package var type: String
  package var id: String
  package var device: String
  package var fence: String?
  /// When it happened, RFC 3339 in UTC with milliseconds.
  package var time: String?
  /// When it was decided, in the same form.
  package var decided: String?
  /// Degrees, WGS 84.
  package var latitude: Double?
  package var longitude: Double?
  /// Metres, 68 %.
  package var accuracy: Double?
  /// Seconds, one sigma.
  package var timeUncertainty: Double?
  /// 0 to 1.
  package var confidence: Double?
  /// `inside`, `outside` or `unknown`, of a state.
  package var state: String?
  /// Seconds inside, of an exit or a dwell.
  package var duration: Double?
  package var arrival: String?
  /// Nil while the visit lasts, too.
  package var departure: String?
  /// The name of a visit's place.
  package var place: String?
  /// Metres per second.
  package var speed: Double?
  /// Degrees clockwise from true north.
  package var course: Double?
  package var revision: Int?
  /// Seconds, one sigma.
  package var arrivalUncertainty: Double?
  package var departureUncertainty: Double?
  package var retracted: Bool?
  /// The text of a problem.
  package var message: String?

  /// Decodes a line of the event log; nil when it is none.
  package init?(line: String) {
    guard let event = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else {
      return nil
    }
    self = event
  }

  /// A time of the event, as seconds since 1970; nil when `text` is no time of the event log.
  package static func seconds(_ text: String) -> Double? {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return (try? style.parse(text))?.timeIntervalSince1970
  }
}
