import Geodesy
internal import Text
import Tracking

/// Writes events for people, one line each.
///
///     2025-03-10 14:02:07.3Z ± 0.4 s  van  enter  depot  52.5163000,13.3777000 ± 5 m  99.1 %
///
/// Columns are as wide as the widest cell so far, so a log soon lines up without buffering.
package struct TextWriter: Sendable {
  /// Widths of time, device, kind and fence, position, and confidence.
  ///
  /// The initial widths are the usual ones, so the first lines line up too.
  private(set) var widths: InlineArray<5, Int> = [30, 0, usualKind, 29, 7]
  /// Width for the kind before a fence's name; the kinds without a fence may be longer.
  private static let usualKind = 5
  /// The widest column: one name of 64 KiB would put as many blanks into every line after it.
  static let widest = 100
  /// A longer fence name gets no width in advance.
  private static let usualName = 24

  private let layout: TextLayout

  /// Makes a writer for events of fences with these ids.
  package init(fences: some Sequence<String>, layout: TextLayout = TextLayout()) {
    self.layout = layout
    // `+02:00` is longer than `Z`.
    if !layout.zone.isUTC { widths[0] += 5 }
    let name = fences.reduce(0) { widest, id in
      id.count > Self.usualName ? widest : max(widest, id.count)
    }
    if name > 0 { widths[2] += 2 + name }
  }

  /// Widens the columns, to continue a log that another writer began.
  mutating func widen(to wanted: [Int]) {
    for (column, width) in zip(widths.indices, wanted) {
      widths[column] = max(widths[column], min(width, Self.widest))
    }
  }

  /// Appends one line.
  package mutating func append(_ entry: LogEntry, to buffer: inout [UInt8]) {
    let start = buffer.count
    let cells = cells(entry)
    for column in cells.indices { pad(column, cells[column], to: &buffer) }
    buffer.append(contentsOf: remark(entry).withoutControls.utf8)
    while buffer.count > start, buffer.last == UInt8(ascii: " ") { buffer.removeLast() }
    if let width = layout.width { cut(from: start, to: width, in: &buffer) }
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Cuts the line that begins at `start`, so it stays one line of a terminal.
  private func cut(from start: Int, to width: Int, in buffer: inout [UInt8]) {
    let line = buffer.span.extracting(start...).string
    guard DisplayWidth.of(line) > width else { return }
    buffer.removeSubrange(start...)
    buffer += Array("\(DisplayWidth.prefix(line, columns: max(0, width - 1)))…".utf8)
  }

  private mutating func pad(_ column: Int, _ cell: String, to buffer: inout [UInt8]) {
    let width = cell.count
    widths[column] = max(widths[column], min(width, Self.widest))
    buffer.append(contentsOf: cell.utf8)
    if widths[column] == 0 { return }
    // Two blanks separate the columns.
    for _ in width..<max(width, widths[column]) + 2 { buffer.append(UInt8(ascii: " ")) }
  }

  // MARK: Cells

  private func cells(_ entry: LogEntry) -> InlineArray<5, String> {
    [
      when(entry), entry.device.withoutControls, Self.what(entry), Self.place(entry),
      entry.event?.statement.confidence.map { "\(Readable.number($0 * 100, decimals: 1)) %" } ?? "",
    ]
  }

  private func when(_ entry: LogEntry) -> String {
    guard let time = entry.time else { return "" }
    let text = Readable.time(time, in: layout.zone)
    guard let sigma = entry.event?.statement.crossing?.timeUncertainty else { return text }
    return "\(text) ± \(Readable.duration(sigma))"
  }

  private static func what(_ entry: LogEntry) -> String {
    let kind = entry.kind.rawValue
    guard let fence = entry.event?.statement.fence else { return kind }
    let blanks = String(repeating: " ", count: max(0, usualKind - kind.count) + 2)
    return kind + blanks + fence.withoutControls
  }

  private static func place(_ entry: LogEntry) -> String {
    guard let coordinate = entry.coordinate else { return "" }
    let latitude = Readable.number(coordinate.latitude, decimals: 7)
    let longitude = Readable.number(coordinate.longitude, decimals: 7)
    let accuracy = entry.event?.horizontalAccuracy ?? entry.fix?.horizontalAccuracy
    guard let accuracy else { return "\(latitude),\(longitude)" }
    return "\(latitude),\(longitude) ± \(Readable.length(accuracy))"
  }

  /// The end of the line.
  private func remark(_ entry: LogEntry) -> String {
    switch entry.content {
    case .event(let event):
      switch event.statement {
      case .enter: ""
      case .exit(_, _, let inside): "after \(Readable.duration(inside))"
      case .dwell(_, let inside): "for \(Readable.duration(inside))"
      case .state(_, let containment, _): containment.rawValue
      case .visit(let visit):
        [stay(visit), entry.place].compactMap { $0 }.joined(separator: ", ")
      case .significantChange: ""
      }
    case .fix(let fix): Self.motion(fix)
    case .problem(let problem): problem.message
    case .status(let status): Self.standing(status)
    }
  }

  private static func standing(_ status: LogEntry.Status) -> String {
    let absence = status.duration.map { "after \(Readable.duration($0)) without a position" }
    return [status.word, status.reason, absence].compactMap { $0 }.joined(separator: ", ")
  }

  private func stay(_ visit: Visit) -> String {
    let arrival = arrival(visit, at: visit.departure ?? visit.arrival)
    if visit.isRetracted { return "no visit after all, since \(arrival)" }
    guard let departure = visit.departure else { return "stays since \(arrival)" }
    let length = Readable.duration(departure.seconds(since: visit.arrival))
    return "stayed \(length)\(visit.isArrivalSeen ? "" : " at least"), since \(arrival)"
  }

  /// The arrival, with its date and its offset when those at the beginning of the line are others.
  private func arrival(_ visit: Visit, at time: Timestamp) -> String {
    let date = Readable.date(visit.arrival, in: layout.zone)
    let offset = layout.zone.suffix(at: visit.arrival)
    let timeOfDay =
      Readable.timeOfDay(visit.arrival, in: layout.zone)
      + (offset == layout.zone.suffix(at: time) ? "" : offset)
    let text = date == Readable.date(time, in: layout.zone) ? timeOfDay : "\(date) \(timeOfDay)"
    return visit.isArrivalSeen ? text : "\(text) or before"
  }

  private static func motion(_ fix: Fix) -> String {
    let speed = fix.speed.map { "\(Readable.number($0, decimals: 1)) m/s" }
    let course = fix.course.map {
      "\(Readable.number($0 >= 359.5 && $0 < 360 ? 0 : $0, decimals: 0))°"
    }
    return [speed, course].compactMap { $0 }.joined(separator: "  ")
  }
}
