internal import EventLog
internal import Text
internal import Tracking

/// A difference in words, for text and Markdown.
struct DifferenceText {
  /// `+`, `-` or `~`.
  let mark: String
  /// `enter`, `state inside`.
  let kind: String
  let fence: String
  let device: String
  /// `2026-05-04 10:00:40.2 → 10:00:47.9`.
  let time: String
  /// `+7.7 s, 12 m`: how far it moved, empty if it did not.
  let shift: String

  init(_ difference: Comparison.Difference) {
    let subject = difference.subject
    kind = [subject.kind.rawValue, subject.state].compactMap { $0 }.joined(separator: " ")
    fence = subject.fence ?? ""
    device = subject.device
    let isVisit = subject.kind == .visit
    switch difference.change {
    case .removed(let event):
      (mark, time, shift) = ("-", Self.time(of: event, isVisit), "")
    case .added(let event):
      (mark, time, shift) = ("+", Self.time(of: event, isVisit), "")
    case .moved(let old, let new):
      mark = "~"
      time =
        old.time == new.time
        ? Readable.time(old.time)
        : "\(Readable.time(old.time)) → \(Self.time(new.time, after: old.time))"
      shift = Self.shift(old, new).joined(separator: ", ")
    }
  }

  private static func time(of event: ComparedEvent, _ isVisit: Bool) -> String {
    let start = Readable.time(event.time)
    guard isVisit else { return start }
    return start + (event.departure.map { " to \(time($0, after: event.time))" } ?? ", not over")
  }

  /// A time behind another one: without its date and zone if the date is the same.
  private static func time(_ time: Timestamp, after other: Timestamp) -> String {
    let words = Readable.time(time).split(separator: " ")
    let isSameDay = Readable.time(other).split(separator: " ").first == words.first
    return isSameDay ? String(words[1].dropLast()) : words.joined(separator: " ")
  }

  private static func shift(_ old: ComparedEvent, _ new: ComparedEvent) -> [String] {
    var parts: [String] = []
    if old.time != new.time { parts.append(signed(new.time.seconds(since: old.time))) }
    if old.coordinate != new.coordinate, let metres = old.distance(to: new) {
      parts.append(
        metres < 0.95 ? "\(Readable.number(metres, decimals: 2)) m" : Readable.length(metres))
    }
    switch (old.departure, new.departure) {
    case (let first?, let second?) where first != second:
      parts.append("departure \(signed(second.seconds(since: first)))")
    case (nil, let second?): parts.append("departure \(time(second, after: new.time))")
    case (_?, nil): parts.append("not over")
    case (_?, _?), (nil, nil): break
    }
    if let first = old.decided, let second = new.decided, first != second {
      parts.append("reported \(signed(second.seconds(since: first)))")
    }
    return parts
  }

  /// `+7.7 s`, `-0.003 s`.
  private static func signed(_ seconds: Double) -> String {
    let text =
      abs(seconds) < 0.95
      ? "\(Readable.number(seconds, decimals: 3)) s" : Readable.duration(seconds)
    return seconds < 0 ? text : "+\(text)"
  }
}
