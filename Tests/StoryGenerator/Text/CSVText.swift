import Geodesy
import Simulation
import Tracking

/// Writes comma-separated values.
enum CSVText {
  /// Fixes of devices, in the order given; with a column for the device when one is named.
  static func fixes(_ fixes: [(device: String?, fix: Fix)]) -> String {
    let hasDevices = fixes.contains { $0.device != nil }
    var text = hasDevices ? "device," : ""
    text += "time,latitude,longitude,accuracy,speed,course\n"
    for (device, fix) in fixes {
      if hasDevices { text += (device ?? "") + "," }
      let cells = [
        fix.time?.text() ?? "", String(fix.coordinate.latitude, decimals: 7),
        String(fix.coordinate.longitude, decimals: 7), number(fix.horizontalAccuracy, 1),
        number(fix.speed, 2), number(fix.roundedCourse, 1),
      ]
      text += cells.joined(separator: ",") + "\n"
    }
    return text
  }

  /// The true crossings; with a column for the device when there are several.
  static func truth(_ truth: [(device: String, crossing: TrueCrossing)]) -> String {
    let hasDevices = Set(truth.map(\.device)).count > 1
    var text = (hasDevices ? "device," : "") + "type,fence,time,latitude,longitude\n"
    for (device, crossing) in truth {
      let cells = [
        crossing.kind.rawValue, crossing.fence, crossing.time.text(alwaysWithMilliseconds: true),
        String(crossing.coordinate.latitude, decimals: 7),
        String(crossing.coordinate.longitude, decimals: 7),
      ]
      text += ((hasDevices ? [device] : []) + cells).joined(separator: ",") + "\n"
    }
    return text
  }

  /// Arrival at and departure from each stay, and its position; a stay is some steps of the plan.
  ///
  /// An arrival before the path or a departure after it is empty.
  static func stays(_ stays: [(steps: Range<Int>, place: Coordinate)], on path: TruePath) -> String
  {
    func time(of step: Int) -> String {
      guard step > 0, step < path.stepStarts.count else { return "" }
      let time = path.start.advanced(bySeconds: path.stepStarts[step])
      return time.text(alwaysWithMilliseconds: true)
    }
    let rows = stays.map { steps, place in
      [
        time(of: steps.lowerBound), time(of: steps.upperBound),
        String(place.latitude, decimals: 7), String(place.longitude, decimals: 7),
      ]
    }
    return (["arrival,departure,latitude,longitude"] + rows.map { $0.joined(separator: ",") })
      .joined(separator: "\n") + "\n"
  }

  private static func number(_ value: Double?, _ decimals: Int) -> String {
    value.map { String($0, decimals: decimals) } ?? ""
  }
}
