internal import Geodesy
internal import Text
internal import Tracking

extension LogEntry {
  /// Reads an event from any decoder, with the keys of its line in JSON Lines.
  ///
  /// - Parameter namesDevice: Whether the device must be there; otherwise its name is empty.
  /// - Throws: what the decoder throws, and `DecodingError` for a line of the log that is no event.
  package init(event decoder: any Decoder, namesDevice: Bool) throws {
    let fields = LogFields(try decoder.container(keyedBy: LogKey.self))
    let event = Event(
      statement: try fields.statement(), time: try fields.time(.time),
      decided: try fields.time(.decided),
      coordinate: Coordinate(
        latitude: try fields.value(.latitude), longitude: try fields.value(.longitude)),
      horizontalAccuracy: try fields.valueIfAny(.accuracy), speed: try fields.valueIfAny(.speed),
      course: try fields.valueIfAny(.course))
    self.init(device: namesDevice ? try fields.value(.device) : "", .event(event))
    place = try fields.valueIfAny(.place)
  }
}

/// The fields of an event in a decoder's container.
private struct LogFields {
  private let container: KeyedDecodingContainer<LogKey>

  init(_ container: KeyedDecodingContainer<LogKey>) { self.container = container }

  func value<Value: Decodable>(_ field: LogField) throws -> Value {
    try container.decode(Value.self, forKey: LogKey(field))
  }

  func valueIfAny<Value: Decodable>(_ field: LogField) throws -> Value? {
    try container.decodeIfPresent(Value.self, forKey: LogKey(field))
  }

  func time(_ field: LogField) throws -> Timestamp {
    try time(field, value(field))
  }

  private func timeIfAny(_ field: LogField) throws -> Timestamp? {
    try valueIfAny(field).map { try time(field, $0) }
  }

  private func time(_ field: LogField, _ text: String) throws -> Timestamp {
    guard let time = TimeText.parse(Array(text.utf8).span) else {
      throw wrong(field, "'\(text)'", "a time such as 2025-03-10T14:02:07.300Z")
    }
    return time
  }

  func statement() throws -> Event.Statement {
    let name: String = try value(.type)
    switch LogEntry.Kind(rawValue: name) {
    case .enter: return .enter(fence: try value(.fence), try crossing())
    case .exit:
      return .exit(fence: try value(.fence), try crossing(), inside: try value(.duration))
    case .dwell: return .dwell(fence: try value(.fence), inside: try value(.duration))
    case .state:
      return .state(
        fence: try value(.fence), try containment(), confidence: try valueIfAny(.confidence))
    case .visit: return .visit(try visit())
    case .significantChange: return .significantChange
    case .fix, .problem, .status, nil:
      let events = LogEntry.Kind.ofTracks.subtracting([.problem]).map(\.rawValue).sorted()
      throw wrong(.type, "'\(name)'", "an event: \(events.joined(separator: ", "))")
    }
  }

  private func crossing() throws -> Crossing {
    Crossing(
      timeUncertainty: try valueIfAny(.timeUncertainty), isInterpolated: try value(.interpolated),
      confidence: try valueIfAny(.confidence))
  }

  private func containment() throws -> Containment {
    let name: String = try value(.state)
    guard let containment = Containment(rawValue: name) else {
      let words = Containment.allCases.map(\.rawValue).joined(separator: ", ")
      throw wrong(.state, "'\(name)'", "one of \(words)")
    }
    return containment
  }

  private func visit() throws -> Visit {
    var visit = Visit(
      arrival: try time(.arrival), isArrivalSeen: try valueIfAny(.arrivalSeen) ?? true,
      departure: try timeIfAny(.departure), confidence: try value(.confidence))
    visit.revision = try valueIfAny(.revision) ?? 0
    visit.arrivalUncertainty = try valueIfAny(.arrivalUncertainty)
    visit.departureUncertainty = try valueIfAny(.departureUncertainty)
    visit.isRetracted = try valueIfAny(.retracted) ?? false
    return visit
  }

  private func wrong(_ field: LogField, _ found: String, _ expected: String) -> DecodingError {
    let message = "\(field.name) is \(found), expected \(expected)"
    return .dataCorruptedError(
      forKey: LogKey(field), in: container, debugDescription: message)
  }
}
