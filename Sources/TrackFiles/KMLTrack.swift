internal import Estimation
internal import Geodesy
internal import Text

/// Writes a track as KML 2.2 with the extension `gx:Track`, which Google Earth, QGIS and gpsbabel read.
///
/// A track in which a fix has no time is a line. The device is a value of the place.
///
/// Source: OGC 12-007r2 (KML 2.3), 9.26; its `Track` is `gx:Track` here.
struct KMLTrack {
  private let style: TrackStyle
  /// The values of a fix besides position and time.
  private let fields: [TrackField]

  init(_ style: TrackStyle) {
    self.style = style
    fields = Self.values(in: style)
  }

  private static func values(in style: TrackStyle) -> [TrackField] {
    TrackField.all(in: style).filter { ![.latitude, .longitude, .altitude].contains($0) }
  }

  static func begin(into text: inout [UInt8]) {
    MapDocument.kml.begin(" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"", into: &text)
    text += "<Schema id=\"fix\">\n"
    for field in values(in: .exact) {
      text += "<gx:SimpleArrayField name=\"\(field.rawValue)\" type=\"float\"/>\n"
    }
    text += "</Schema>\n"
  }

  func append(_ track: RecordedTrack, to text: inout [UInt8]) {
    for (number, segment) in track.segments.enumerated() where !segment.isEmpty {
      text += "<Placemark><name>"
      XMLText.append(track.name ?? track.device, to: &text)
      if track.segments.count > 1 { text += " \(number + 1)" }
      text += "</name><ExtendedData><Data name=\"device\"><value>"
      XMLText.append(track.device, to: &text)
      text += "</value></Data></ExtendedData>"
      // A fix without a time has an empty one; a line has no times at all.
      if segment.contains(where: { $0.time != nil }) {
        text += "<gx:Track>\n"
        putTrack(segment, to: &text)
        text += "</gx:Track>"
      } else {
        putLine(segment, to: &text)
      }
      text += "</Placemark>\n"
    }
  }

  private func putTrack(_ fixes: [Fix], to text: inout [UInt8]) {
    if fixes.contains(where: { $0.altitude != nil }) {
      text += "<altitudeMode>absolute</altitudeMode>\n"
    }
    for fix in fixes {
      text += "<when>"
      fix.time?.append(style, to: &text)
      text += "</when>\n"
    }
    for fix in fixes {
      text += "<gx:coord>"
      put(fix, separator: " ", to: &text)
      text += "</gx:coord>\n"
    }
    let known = fields.filter { field in
      fixes.contains { field.value(of: $0, style) != nil }
    }
    guard !known.isEmpty else { return }
    text += "<ExtendedData><SchemaData schemaUrl=\"#fix\">\n"
    for field in known {
      text += "<gx:SimpleArrayData name=\"\(field.rawValue)\">"
      for fix in fixes {
        text += "<gx:value>"
        if let value = field.value(of: fix, style) { field.append(value, style, to: &text) }
        text += "</gx:value>"
      }
      text += "</gx:SimpleArrayData>\n"
    }
    text += "</SchemaData></ExtendedData>\n"
  }

  private func putLine(_ fixes: [Fix], to text: inout [UInt8]) {
    let element = fixes.count > 1 ? "LineString" : "Point"
    text += "<\(element)><coordinates>"
    for index in fixes.indices {
      if index > 0 { text += " " }
      put(fixes[index], separator: ",", to: &text)
    }
    text += "</coordinates></\(element)>"
  }

  private func put(_ fix: Fix, separator: String, to text: inout [UInt8]) {
    TrackField.longitude.append(fix.coordinate.longitude, style, to: &text)
    text += separator
    TrackField.latitude.append(fix.coordinate.latitude, style, to: &text)
    guard let altitude = TrackField.altitude.value(of: fix, style) else { return }
    text += separator
    TrackField.altitude.append(altitude, style, to: &text)
  }
}
