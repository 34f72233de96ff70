import Geodesy
import Tracking

/// Writes GPX, one point per line.
struct GPXText {
  enum Version: String {
    /// Speed and course are elements of the point.
    case v1_0 = "1.0"
    /// Speed and course are in Garmin's TrackPointExtension, accuracy in an extension of ours.
    case v1_1 = "1.1"
  }

  var version = Version.v1_1
  /// Prefix of GPX's own elements, followed by a colon.
  var prefix = ""
  var newline = "\n"

  /// A complete file.
  func file(_ tracks: [RecordedTrack]) -> String {
    var text = header
    for track in tracks {
      text += open("trk") + element("name", track.name) + newline
      for segment in track.segments {
        text += open("trkseg") + newline
        for fix in segment { text += point(fix) + newline }
        text += close("trkseg") + newline
      }
      text += close("trk") + newline
    }
    return text + close("gpx") + newline
  }

  /// One point, without the end of the line.
  func point(_ fix: Fix) -> String {
    let latitude = String(fix.coordinate.latitude, decimals: 7)
    let longitude = String(fix.coordinate.longitude, decimals: 7)
    var text = "<\(name("trkpt")) lat=\"\(latitude)\" lon=\"\(longitude)\">"
    text += number("ele", fix.altitude, 1)
    if let time = fix.time { text += element("time", time.text()) }
    if version == .v1_0 {
      text += number("course", fix.roundedCourse, 1) + number("speed", fix.speed, 2)
    }
    if let satellites = fix.satellites { text += element("sat", String(satellites)) }
    text += number("hdop", fix.hdop, 1)
    if version == .v1_1 { text += extensions(fix) }
    return text + close("trkpt")
  }

  private func extensions(_ fix: Fix) -> String {
    let garmin = "gpxtpx:TrackPointExtension"
    let motion =
      [("speed", fix.speed, 2), ("course", fix.roundedCourse, 1)].compactMap {
        key, value, decimals in
        value.map { "<gpxtpx:\(key)>\(String($0, decimals: decimals))</gpxtpx:\(key)>" }
      }.joined()
    let accuracy =
      fix.horizontalAccuracy.map { "<wm:accuracy>\(String($0, decimals: 1))</wm:accuracy>" } ?? ""
    let all = accuracy + (motion.isEmpty ? "" : "<\(garmin)>\(motion)</\(garmin)>")
    return all.isEmpty ? "" : open("extensions") + all + close("extensions")
  }

  private var header: String {
    let number = version == .v1_0 ? "1/0" : "1/1"
    let namespace = prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)"
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + newline
    text += "<\(name("gpx")) version=\"\(version.rawValue)\" creator=\"make-stories\""
    text += " \(namespace)=\"http://www.topografix.com/GPX/\(number)\""
    if version == .v1_1 {
      text += " xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v2\""
      text += " xmlns:wm=\"urn:waymark:gpx:1\""
    }
    return text + ">" + newline
  }

  private func number(_ key: String, _ value: Double?, _ decimals: Int) -> String {
    value.map { element(key, String($0, decimals: decimals)) } ?? ""
  }

  private func name(_ key: String) -> String { prefix.isEmpty ? key : "\(prefix):\(key)" }
  private func open(_ key: String) -> String { "<\(name(key))>" }
  private func close(_ key: String) -> String { "</\(name(key))>" }
  private func element(_ key: String, _ text: String) -> String { open(key) + text + close(key) }
}
