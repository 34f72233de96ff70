internal import Text
import Tracking

/// Events as columns: one for each key of the event log that events have, with exact values.
package enum EventColumns {
  /// The columns of some entries, all of which are events.
  package static func columns(of entries: [LogEntry]) -> [TableColumn] {
    var sink = ColumnSink()
    for entry in entries {
      entry.write(to: &sink)
      // The log leaves these out where they say nothing new.
      if entry.kind == .visit { sink.complete() }
      sink.endRow()
    }
    return sink.columns
  }
}

/// Writes the fields of an entry to the last row of columns.
private struct ColumnSink: LogSink {
  private(set) var columns: [TableColumn] = []
  /// The column of each field, by its raw value.
  private var places: [Int?]
  private var rows = 0

  init() {
    places = Array(repeating: nil, count: LogField.order.count)
    for field in LogField.order {
      guard let kind = field.columnKind else { continue }
      places[field.rawValue] = columns.count
      columns.append(TableColumn(field.name, kind))
    }
  }

  mutating func put(_ field: LogField, _ text: String) { put(field) { $0.append(text) } }
  mutating func put(_ field: LogField, _ word: StaticString) { put(field, word.description) }
  mutating func put(_ field: LogField, _ id: EventID) { put(field, id.description) }
  mutating func put(_ field: LogField, _ time: Timestamp) { put(field) { $0.append(time) } }
  mutating func put(_ field: LogField, _ value: Double, decimals: Int) {
    put(field) { $0.append(value) }
  }
  mutating func put(_ field: LogField, _ count: Int) {
    put(field) { $0.append(integer: Int64(count)) }
  }
  mutating func put(_ field: LogField, _ flag: Bool) { put(field) { $0.append(flag) } }
  mutating func putNull(_ field: LogField) {}

  /// Puts the values of a visit that the log leaves out.
  mutating func complete() {
    let rows = rows
    put(.arrivalSeen) { if $0.count == rows { $0.append(true) } }
    put(.retracted) { if $0.count == rows { $0.append(false) } }
  }

  mutating func endRow() {
    rows += 1
    for index in columns.indices { columns[index].fill(to: rows) }
  }

  private mutating func put(_ field: LogField, _ body: (inout TableColumn) -> Void) {
    // The fields of a fix and of a problem have none.
    if let place = places[field.rawValue] { body(&columns[place]) }
  }
}

extension LogField {
  /// The type of its column; nil for a field that no event has.
  fileprivate var columnKind: TableColumn.Kind? {
    switch self {
    case .type, .id, .device, .fence, .state: .text
    case .time, .decided, .arrival, .departure: .time
    case .latitude, .longitude, .accuracy, .timeUncertainty, .confidence, .duration, .speed,
      .course, .arrivalUncertainty, .departureUncertainty:
      .number
    case .interpolated, .arrivalSeen, .retracted: .flag
    case .revision: .count
    // No geocoder names places here.
    case .place: nil
    case .altitude, .verticalAccuracy, .speedAccuracy, .courseAccuracy, .hdop, .vdop, .pdop,
      .satellites, .mode, .message, .ellipsoidalAltitude:
      nil
    }
  }
}
