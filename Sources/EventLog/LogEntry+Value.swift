import Geodesy
internal import Text
import Tracking

extension LogEntry {
  /// Writes the fields of the entry to a sink.
  @inline(__always)
  func write(to sink: inout some LogSink) {
    sink.put(.type, kind.word)
    switch content {
    case .event(let event):
      if let id { sink.put(.id, id) }
      sink.put(.device, device)
      Self.write(event, place, &sink)
    case .fix(let fix):
      sink.put(.device, device)
      Self.write(fix, &sink)
    case .problem(let problem):
      if let id { sink.put(.id, id) }
      sink.put(.device, device)
      if let time = problem.time { sink.put(.time, time) }
      if let decided = problem.decided { sink.put(.decided, decided) }
      sink.put(.message, problem.message)
    case .status(let status):
      if let id { sink.put(.id, id) }
      sink.put(.device, device)
      if let time = status.time {
        sink.put(.time, time)
        sink.put(.decided, time)
      }
      sink.put(.state, status.word)
      sink.put(.duration, ifKnown: status.duration, decimals: 3)
      if let reason = status.reason { sink.put(.message, reason) }
    }
  }

  private static func write(_ event: Event, _ place: String?, _ sink: inout some LogSink) {
    let statement = event.statement
    if let fence = statement.fence { sink.put(.fence, fence) }
    sink.put(.time, event.time)
    sink.put(.decided, event.decided)
    write(event.coordinate, event.horizontalAccuracy, &sink)
    if let crossing = statement.crossing {
      sink.put(.timeUncertainty, ifKnown: crossing.timeUncertainty, decimals: 3)
      sink.put(.interpolated, crossing.isInterpolated)
    }
    sink.put(.confidence, ifKnown: statement.confidence, decimals: 3)
    if let containment = statement.containment { sink.put(.state, containment.rawValue) }
    sink.put(.duration, ifKnown: statement.inside, decimals: 3)
    if let visit = statement.visit {
      sink.put(.arrival, visit.arrival)
      if let departure = visit.departure {
        sink.put(.departure, departure)
      } else {
        sink.putNull(.departure)
      }
      if !visit.isArrivalSeen { sink.put(.arrivalSeen, false) }
    }
    if let place { sink.put(.place, place) }
    sink.put(.speed, ifKnown: event.speed, decimals: 2)
    sink.put(course: event.course)
    if let visit = statement.visit {
      sink.put(.revision, visit.revision)
      sink.put(.arrivalUncertainty, ifKnown: visit.arrivalUncertainty, decimals: 1)
      sink.put(.departureUncertainty, ifKnown: visit.departureUncertainty, decimals: 1)
      if visit.isRetracted { sink.put(.retracted, true) }
    }
  }

  private static func write(_ fix: Fix, _ sink: inout some LogSink) {
    if let time = fix.time { sink.put(.time, time) }
    write(fix.coordinate, fix.horizontalAccuracy, &sink)
    sink.put(.speed, ifKnown: fix.speed, decimals: 2)
    sink.put(course: fix.course)
    sink.put(.altitude, ifKnown: fix.altitude, decimals: 2)
    sink.put(.verticalAccuracy, ifKnown: fix.verticalAccuracy, decimals: 2)
    sink.put(.speedAccuracy, ifKnown: fix.speedAccuracy, decimals: 2)
    sink.put(.courseAccuracy, ifKnown: fix.courseAccuracy, decimals: 1)
    sink.put(.hdop, ifKnown: fix.hdop, decimals: 2)
    sink.put(.vdop, ifKnown: fix.vdop, decimals: 2)
    sink.put(.pdop, ifKnown: fix.pdop, decimals: 2)
    if let satellites = fix.satellites { sink.put(.satellites, satellites) }
    if fix.mode != .unknown { sink.put(.mode, fix.mode.logName) }
    sink.put(.ellipsoidalAltitude, ifKnown: fix.ellipsoidalAltitude, decimals: 2)
  }

  @inline(__always)
  private static func write(
    _ coordinate: Coordinate, _ accuracy: Double?, _ sink: inout some LogSink
  ) {
    sink.put(.latitude, ifKnown: coordinate.latitude, decimals: 7)
    sink.put(.longitude, ifKnown: coordinate.longitude, decimals: 7)
    sink.put(.accuracy, ifKnown: accuracy, decimals: 2)
  }
}
