import EventLog
import Geodesy
import Text
import Tracking

/// Writes the fixes of a device as a trace, in order of arrival.
struct FixWriter {
  private let device: String
  private var text: [UInt8] = []

  static func file(_ format: SimulationFormat, of device: SimulatedDevice) -> [UInt8] {
    var writer = FixWriter(device: device.name)
    switch format {
    case .csv: writer.writeCSV(device.fixes)
    case .gpx: writer.writeGPX(device.fixes)
    case .ndjson: writer.writeLines(device.fixes)
    }
    return writer.text
  }

  private init(device: String) {
    self.device = device
  }

  private mutating func writeCSV(_ fixes: [Fix]) {
    text += "device,time,latitude,longitude,accuracy,speed,course,altitude\n"
    for fix in fixes {
      text += "\(device),"
      if let time = fix.time { TimeText.append(time, to: &text) }
      let values: [(Double?, decimals: Int)] = [
        (fix.coordinate.latitude, 7), (fix.coordinate.longitude, 7), (fix.horizontalAccuracy, 1),
        (fix.speed, 2), (fix.roundedCourse, 1), (fix.altitude, 1),
      ]
      for (value, decimals) in values {
        text += ","
        if let value { DecimalText.append(value, decimals: decimals, to: &text) }
      }
      text += "\n"
    }
  }

  private mutating func writeLines(_ fixes: [Fix]) {
    for fix in fixes {
      JSONLinesWriter.append(LogEntry(device: device, .fix(fix)), to: &text)
    }
  }

  private mutating func writeGPX(_ fixes: [Fix]) {
    text += """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="waymark simulate" \
      xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
      xmlns:wm="urn:waymark:gpx:1">
      <trk><name>\(device)</name>
      <trkseg>\n
      """
    for fix in fixes { writePoint(fix) }
    text += "</trkseg>\n</trk>\n</gpx>\n"
  }

  private mutating func writePoint(_ fix: Fix) {
    text += "<trkpt lat=\""
    DecimalText.append(fix.coordinate.latitude, decimals: 7, to: &text)
    text += "\" lon=\""
    DecimalText.append(fix.coordinate.longitude, decimals: 7, to: &text)
    text += "\">"
    writeElement("ele", fix.altitude, decimals: 1)
    if let time = fix.time {
      text += "<time>"
      TimeText.append(time, to: &text)
      text += "</time>"
    }
    let hasMotion = fix.speed != nil || fix.course != nil
    guard hasMotion || fix.horizontalAccuracy != nil else {
      text += "</trkpt>\n"
      return
    }
    text += "<extensions>"
    writeElement("wm:accuracy", fix.horizontalAccuracy, decimals: 1)
    if hasMotion {
      text += "<gpxtpx:TrackPointExtension>"
      writeElement("gpxtpx:speed", fix.speed, decimals: 2)
      writeElement("gpxtpx:course", fix.roundedCourse, decimals: 1)
      text += "</gpxtpx:TrackPointExtension>"
    }
    text += "</extensions></trkpt>\n"
  }

  private mutating func writeElement(_ name: String, _ value: Double?, decimals: Int) {
    guard let value else { return }
    text += "<\(name)>"
    DecimalText.append(value, decimals: decimals, to: &text)
    text += "</\(name)>"
  }
}

extension Fix {
  /// The course with one decimal, where 359.96 is 0 and not 360.
  fileprivate var roundedCourse: Double? {
    course.map { $0 >= 359.95 ? 0 : $0 }
  }
}

extension [UInt8] {
  static func += (bytes: inout [UInt8], text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
