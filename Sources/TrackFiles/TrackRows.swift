internal import Estimation
internal import Text

/// Writes the fixes of a track one by one: rows of CSV, or objects of NDJSON.
struct TrackRows {
  private let style: TrackStyle
  private let fields: [TrackField]

  init(_ style: TrackStyle) {
    self.style = style
    fields = TrackField.all(in: style)
  }

  static func header(_ style: TrackStyle, into text: inout [UInt8]) {
    text += "device,time"
    for field in TrackField.all(in: style) { text += "," + field.rawValue }
    text += style == .exact ? ",satellites,mode\n" : "\n"
  }

  func appendCells(_ track: RecordedTrack, to text: inout [UInt8]) {
    for segment in track.segments {
      for fix in segment {
        CSVCell.append(track.device, to: &text)
        text += ","
        fix.time?.append(style, to: &text)
        for field in fields {
          text += ","
          if let value = field.value(of: fix, style) { field.append(value, style, to: &text) }
        }
        if style == .exact {
          text += ","
          if let satellites = fix.satellites { text += "\(satellites)" }
          text += ","
          if fix.mode != .unknown { text += "\(fix.mode.logName)" }
        }
        text += "\n"
      }
    }
  }

  func appendObjects(_ track: RecordedTrack, to text: inout [UInt8]) {
    for segment in track.segments {
      for fix in segment {
        text += "{\"type\":\"fix\",\"device\":"
        JSONText.append(track.device, to: &text)
        if let time = fix.time {
          text += ",\"time\":\""
          time.append(style, to: &text)
          text += "\""
        }
        for field in fields {
          guard let value = field.value(of: fix, style) else { continue }
          text += ",\"\(field.rawValue)\":"
          field.append(value, style, to: &text)
        }
        if let satellites = fix.satellites { text += ",\"satellites\":\(satellites)" }
        if fix.mode != .unknown { text += ",\"mode\":\"\(fix.mode.logName)\"" }
        text += "}\n"
      }
    }
  }
}
