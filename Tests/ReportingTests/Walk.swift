import EventLog
import Geodesy
import TestSupport
import Tracking

@testable import Reporting

/// Where a device is, fix by fix.
struct Walk {
  var places: [Coordinate]
  var accuracy: Double
  /// Seconds from fix to fix.
  var every = 60.0

  /// A report of it, which has ended.
  func report(fences: [Fence] = [], hindsight: Bool = false) throws -> Report {
    let report = Report(rules: Rules(fences: try FenceSet(fences)), hindsight: hindsight)
    let entries = places.enumerated().map { index, place in
      var fix = Fix(time: Ground.time(Double(index) * every), coordinate: place)
      fix.horizontalAccuracy = accuracy
      return LogEntry(device: "van", .fix(fix))
    }
    try report.keep(entries)
    report.finish()
    return report
  }

  /// The map of a report of it.
  func picture(fences: [Fence] = [], hindsight: Bool = false) throws -> String {
    String(
      decoding: ReportMap.bytes(of: try report(fences: fences, hindsight: hindsight)),
      as: UTF8.self)
  }
}
