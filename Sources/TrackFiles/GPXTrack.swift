internal import Estimation
internal import Geodesy
internal import Text

/// Writes a track as GPX 1.1.
///
/// Devices and accuracies have elements of our own namespace, because no common extension has them;
/// speed and course those of Garmin's TrackPointExtension v2.
struct GPXTrack {
  private let style: TrackStyle

  init(_ style: TrackStyle) {
    self.style = style
  }

  static func begin(into text: inout [UInt8]) {
    MapDocument.gpx.begin(
      " xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v2\"", into: &text)
  }

  func append(_ track: RecordedTrack, to text: inout [UInt8]) {
    text += "<trk><name>"
    XMLText.append(track.name ?? track.device, to: &text)
    text += "</name><extensions><wm:device>"
    XMLText.append(track.device, to: &text)
    text += "</wm:device></extensions>\n"
    for segment in track.segments {
      text += "<trkseg>\n"
      for fix in segment { append(fix, to: &text) }
      text += "</trkseg>\n"
    }
    text += "</trk>\n"
  }

  /// The elements of a point, in the order of the schema.
  private func append(_ fix: Fix, to text: inout [UInt8]) {
    text += "<trkpt lat=\""
    TrackField.latitude.append(fix.coordinate.latitude, style, to: &text)
    text += "\" lon=\""
    TrackField.longitude.append(fix.coordinate.longitude, style, to: &text)
    text += "\">"
    put("ele", .altitude, of: fix, to: &text)
    if let time = fix.time {
      text += "<time>"
      time.append(style, to: &text)
      text += "</time>"
    }
    if style == .exact { putQuality(of: fix, to: &text) }
    var extensions: [UInt8] = []
    put("wm:accuracy", .accuracy, of: fix, to: &extensions)
    if style == .exact {
      put("wm:verticalAccuracy", .verticalAccuracy, of: fix, to: &extensions)
      put("wm:speedAccuracy", .speedAccuracy, of: fix, to: &extensions)
      put("wm:courseAccuracy", .courseAccuracy, of: fix, to: &extensions)
      put("wm:ellipsoidalAltitude", .ellipsoidalAltitude, of: fix, to: &extensions)
    }
    if fix.speed != nil || fix.course != nil {
      extensions += "<gpxtpx:TrackPointExtension>"
      put("gpxtpx:speed", .speed, of: fix, to: &extensions)
      put("gpxtpx:course", .course, of: fix, to: &extensions)
      extensions += "</gpxtpx:TrackPointExtension>"
    }
    if !extensions.isEmpty {
      text += "<extensions>"
      text += extensions
      text += "</extensions>"
    }
    text += "</trkpt>\n"
  }

  private func putQuality(of fix: Fix, to text: inout [UInt8]) {
    if fix.mode != .unknown { text += "<fix>\(fix.mode.logName)</fix>" }
    if let satellites = fix.satellites { text += "<sat>\(satellites)</sat>" }
    put("hdop", .hdop, of: fix, to: &text)
    put("vdop", .vdop, of: fix, to: &text)
    put("pdop", .pdop, of: fix, to: &text)
  }

  private func put(_ name: String, _ field: TrackField, of fix: Fix, to text: inout [UInt8]) {
    guard let value = field.value(of: fix, style) else { return }
    text += "<\(name)>"
    field.append(value, style, to: &text)
    text += "</\(name)>"
  }
}
