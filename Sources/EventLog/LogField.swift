/// The keys of the event log, in the order of every format.
enum LogField: Int, Sendable, CaseIterable {
  case type, id, device, fence, time, decided, latitude, longitude, accuracy, timeUncertainty
  case interpolated, confidence, state, duration, arrival, departure, arrivalSeen, place
  case speed, course, altitude, verticalAccuracy, speedAccuracy, courseAccuracy, hdop, vdop, pdop
  // After the older columns, because tables are also read by column position.
  case satellites, mode, message, ellipsoidalAltitude
  case revision, arrivalUncertainty, departureUncertainty, retracted

  /// All keys, computed once.
  static let order = allCases

  /// The key with the JSON around it after another member.
  var key: StaticString {
    switch self {
    case .type: ",\"type\":"
    case .id: ",\"id\":"
    case .device: ",\"device\":"
    case .fence: ",\"fence\":"
    case .time: ",\"time\":"
    case .decided: ",\"decided\":"
    case .latitude: ",\"latitude\":"
    case .longitude: ",\"longitude\":"
    case .accuracy: ",\"accuracy\":"
    case .timeUncertainty: ",\"timeUncertainty\":"
    case .interpolated: ",\"interpolated\":"
    case .confidence: ",\"confidence\":"
    case .state: ",\"state\":"
    case .duration: ",\"duration\":"
    case .arrival: ",\"arrival\":"
    case .departure: ",\"departure\":"
    case .arrivalSeen: ",\"arrivalSeen\":"
    case .place: ",\"place\":"
    case .speed: ",\"speed\":"
    case .course: ",\"course\":"
    case .altitude: ",\"altitude\":"
    case .verticalAccuracy: ",\"verticalAccuracy\":"
    case .speedAccuracy: ",\"speedAccuracy\":"
    case .courseAccuracy: ",\"courseAccuracy\":"
    case .hdop: ",\"hdop\":"
    case .vdop: ",\"vdop\":"
    case .pdop: ",\"pdop\":"
    case .satellites: ",\"satellites\":"
    case .mode: ",\"mode\":"
    case .message: ",\"message\":"
    case .ellipsoidalAltitude: ",\"ellipsoidalAltitude\":"
    case .revision: ",\"revision\":"
    case .arrivalUncertainty: ",\"arrivalUncertainty\":"
    case .departureUncertainty: ",\"departureUncertainty\":"
    case .retracted: ",\"retracted\":"
    }
  }

  /// Appends the key alone.
  func append(to buffer: inout [UInt8]) {
    key.withUTF8Buffer { buffer.append(contentsOf: $0.dropFirst(2).dropLast(2)) }
  }
}
