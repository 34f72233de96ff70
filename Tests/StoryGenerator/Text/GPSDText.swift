import Geodesy
import Tracking

/// Writes fixes as gpsd reports them, including its peculiarities.
enum GPSDText {
  /// gpsd's first lines of a connection.
  static let greeting =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
    + #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}"# + "\r\n"
    + #"{"class":"WATCH","enable":true,"json":true,"nmea":false}"# + "\r\n"

  /// A report of each fix, and of the satellites with every tenth.
  ///
  /// Every seventh fix comes in two reports, the first without speed and accuracy, and again
  /// without a position.
  static func log(_ fixes: [Fix]) -> String {
    fixes.enumerated().map { index, fix in
      var text = index % 10 == 0 ? satellites : ""
      if index % 7 == 6 { text += report(fix, isFull: false) }
      text += report(fix)
      if index % 7 == 6 { text += report(fix, mode: 1, isFull: false) }
      return text
    }.joined()
  }

  private static let satellites =
    #"{"class":"SKY","device":"/dev/ttyACM0","vdop":1.20,"hdop":0.80,"pdop":1.40,"satellites":["#
    + (1...11).map { #"{"PRN":\#($0),"el":45,"az":90,"ss":40,"used":\#($0 != 11)}"# }
    .joined(separator: ",") + "]}\r\n"

  private static func report(_ fix: Fix, mode: Int = 3, isFull: Bool = true) -> String {
    var text = #"{"class":"TPV","device":"/dev/ttyACM0","mode":\#(mode)"#
    if let time = fix.time { text += #","time":"\#(time.text(alwaysWithMilliseconds: true))""# }
    // The 95 % radius is 1.6216 of the 68 % radius.
    let numbers: [(String, Double?, Int)] = [
      ("track", fix.roundedCourse, 4), ("speed", fix.speed, 3),
      ("eph", fix.horizontalAccuracy.map { $0 * 1.6216 }, 3),
    ]
    if mode >= 2 {
      text += #","lat":\#(String(fix.coordinate.latitude, decimals: 9))"#
      text += #","lon":\#(String(fix.coordinate.longitude, decimals: 9))"#
      for case (let key, let value?, let decimals) in isFull ? numbers : [] {
        text += #","\#(key)":\#(String(value, decimals: decimals))"#
      }
    }
    return text + "}\r\n"
  }
}
