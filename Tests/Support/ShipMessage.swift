import Foundation

/// Messages of AIS as gpsd 3.22 writes them in JSON, in their own units or scaled.
package struct ShipMessage {
  package var type = 1
  package var mmsi = 211_234_560
  package var isScaled = false
  /// Degrees; 91 and 181 are not available.
  package var latitude = 91.0
  package var longitude = 181.0
  /// Knots; nil is not available.
  package var speed: Double?
  /// Degrees; nil is not available.
  package var course: Double?
  package var second = 60
  package var isPrecise = false
  package var name = ""
  package var device = "/dev/ttyAIS"

  package init(_ type: Int = 1, mmsi: Int = 211_234_560, isScaled: Bool = false) {
    (self.type, self.mmsi, self.isScaled) = (type, mmsi, isScaled)
  }

  /// The line, without its end.
  package var line: String {
    let head =
      #"{"class":"AIS","device":"\#(device)","type":\#(type),"repeat":0,"mmsi":\#(mmsi),"scaled":\#(isScaled)"#
    switch type {
    case 5, 24: return head + #","shipname":"\#(name)","shiptype":70}"#
    case 27:
      return head + #","status":0,"accuracy":\#(isPrecise),"# + place(600, decimals: 1)
        + #","speed":\#(Int(speed ?? 63)),"course":\#(Int(course ?? 511)),"raim":false,"gnss":true}"#
    default:
      let more = type < 4 ? #","status":0,"status_text":"Under way using engine","turn":0"# : ""
      let last = type == 19 ? #","shipname":"\#(name)""# : ""
      return head + more + #","speed":\#(knots),"accuracy":\#(isPrecise),"#
        + place(600_000, decimals: 6)
        + #","course":\#(degrees),"heading":511,"second":\#(second)"# + last + #","raim":false}"#
    }
  }

  private func place(_ parts: Double, decimals: Int) -> String {
    let values = [longitude, latitude].map { value in
      let units = (value * parts).rounded()
      return isScaled ? String(format: "%.\(decimals)f", units / parts) : "\(Int(units))"
    }
    return #""lon":\#(values[0]),"lat":\#(values[1])"#
  }

  private var knots: String {
    guard let speed else { return isScaled ? #""nan""# : "1023" }
    let tenths = (speed * 10).rounded()
    if isScaled { return tenths >= 1_022 ? #""fast""# : String(format: "%.1f", tenths / 10) }
    return "\(Int(min(tenths, 1_022)))"
  }

  private var degrees: String {
    let tenths = course.map { ($0 * 10).rounded() } ?? 3_600
    return isScaled ? String(format: "%.1f", tenths / 10) : "\(Int(tenths))"
  }
}
