import Geodesy
import Simulation
import Tracking

/// Writes comma-separated values.
enum CSVText {
  /// Fixes of devices, in the order given; the column of the device only where one is named.
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

  /// What truly happened; the column of the device only where there are several.
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

  private static func number(_ value: Double?, _ decimals: Int) -> String {
    value.map { String($0, decimals: decimals) } ?? ""
  }
}
