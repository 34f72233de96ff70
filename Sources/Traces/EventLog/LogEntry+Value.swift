import Geodesy
import Tracking

/// The value of a key.
enum LogValue {
  case text(String)
  /// A word of ours, which needs no escaping in any format.
  case word(StaticString)
  case id(EventID)
  case time(Timestamp)
  /// A finite number with so many decimals.
  case number(Double, decimals: Int)
  case count(Int)
  case flag(Bool)
  /// Known to be nothing, unlike a value that is absent: a stay without an end so far.
  case null
}

extension LogEntry {
  /// The value of a key; nil when it is absent, and for numbers that cannot be written.
  func value(of field: LogField) -> LogValue? {
    switch field {
    case .type: .text(kind.rawValue)
    case .id: id.map(LogValue.id)
    case .device: .text(device)
    case .fence: (event?.statement.fence).map(LogValue.text)
    case .time: time.map(LogValue.time)
    case .decided: decided.map(LogValue.time)
    case .latitude: Self.number(coordinate?.latitude, decimals: 7)
    case .longitude: Self.number(coordinate?.longitude, decimals: 7)
    case .accuracy:
      Self.number(event?.horizontalAccuracy ?? fix?.horizontalAccuracy, decimals: 2)
    case .timeUncertainty: Self.number(event?.statement.crossing?.timeUncertainty, decimals: 3)
    case .interpolated: (event?.statement.crossing?.isInterpolated).map(LogValue.flag)
    case .confidence: Self.number(event?.statement.confidence, decimals: 3)
    case .state: (event?.statement.containment).map { .text($0.rawValue) }
    case .duration: Self.number(event?.statement.inside, decimals: 3)
    case .arrival: (event?.statement.visit?.arrival).map(LogValue.time)
    case .departure: event?.statement.visit.map { $0.departure.map(LogValue.time) ?? .null }
    case .arrivalSeen: event?.statement.visit?.isArrivalSeen == false ? .flag(false) : nil
    // The engine names no places yet.
    case .place: nil
    case .speed: Self.number(event?.speed ?? fix?.speed, decimals: 2)
    case .course: Self.course(event?.course ?? fix?.course)
    case .altitude, .ellipsoidalAltitude, .verticalAccuracy, .speedAccuracy, .courseAccuracy,
      .hdop, .vdop, .pdop, .satellites, .mode:
      fix.flatMap { Self.value(of: field, $0) }
    case .message: (problem?.message).map(LogValue.text)
    }
  }

  private static func value(of field: LogField, _ fix: Fix) -> LogValue? {
    switch field {
    case .altitude: number(fix.altitude, decimals: 2)
    case .ellipsoidalAltitude: number(fix.ellipsoidalAltitude, decimals: 2)
    case .verticalAccuracy: number(fix.verticalAccuracy, decimals: 2)
    case .speedAccuracy: number(fix.speedAccuracy, decimals: 2)
    case .courseAccuracy: number(fix.courseAccuracy, decimals: 1)
    case .hdop: number(fix.hdop, decimals: 2)
    case .vdop: number(fix.vdop, decimals: 2)
    case .pdop: number(fix.pdop, decimals: 2)
    case .satellites: fix.satellites.map(LogValue.count)
    case .mode: fix.mode == .unknown ? nil : .word(fix.mode.logName)
    default: nil
    }
  }

  private static func number(_ value: Double?, decimals: Int) -> LogValue? {
    guard let value, value.isFinite else { return nil }
    return .number(value, decimals: decimals)
  }

  /// A course just under 360° would round to it, which is no course: it is north.
  private static func course(_ value: Double?) -> LogValue? {
    guard let value, value >= 359.95, value < 360 else { return number(value, decimals: 1) }
    return .number(0, decimals: 1)
  }
}
