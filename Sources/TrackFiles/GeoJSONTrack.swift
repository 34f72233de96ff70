internal import Estimation
internal import Geodesy
internal import Text

/// Writes a track as GeoJSON features: a line for each segment, with the values of its fixes.
///
/// A line that crosses the antimeridian is cut there (RFC 7946, 3.1.9), between two fixes, so that the
/// parts have the fixes and no more. Each value is a list as long as the line; an unknown one is null.
/// `coordTimes` is the name that other converters use for the times.
struct GeoJSONTrack {
  private let style: TrackStyle

  init(_ style: TrackStyle) {
    self.style = style
  }

  func append(_ track: RecordedTrack, count: inout Int, to text: inout [UInt8]) {
    for (number, segment) in track.segments.enumerated() {
      for part in Self.parts(of: segment) {
        text += count == 0 ? "\n" : ",\n"
        count += 1
        append(part, track, number + 1, to: &text)
      }
    }
  }

  /// A segment cut where it crosses the antimeridian.
  private static func parts(of segment: [Fix]) -> [ArraySlice<Fix>] {
    var parts: [ArraySlice<Fix>] = []
    var start = 0
    for index in segment.indices.dropFirst() {
      let step = segment[index].coordinate.longitude - segment[index - 1].coordinate.longitude
      guard step.magnitude > 180 else { continue }
      parts.append(segment[start..<index])
      start = index
    }
    if start < segment.endIndex { parts.append(segment[start...]) }
    return parts
  }

  private func append(
    _ fixes: ArraySlice<Fix>, _ track: RecordedTrack, _ segment: Int, to text: inout [UInt8]
  ) {
    text += "{\"type\":\"Feature\",\"properties\":{\"device\":"
    JSONText.append(track.device, to: &text)
    if let name = track.name {
      text += ",\"name\":"
      JSONText.append(name, to: &text)
    }
    text += ",\"segment\":\(segment)"
    if fixes.contains(where: { $0.time != nil }) {
      putList("coordTimes", fixes, to: &text) { fix, text in
        guard let time = fix.time else { return text += "null" }
        text += "\""
        time.append(style, to: &text)
        text += "\""
      }
    }
    let isSpatial = fixes.allSatisfy { TrackField.altitude.value(of: $0, style) != nil }
    let placed: [TrackField] =
      isSpatial ? [.latitude, .longitude, .altitude] : [.latitude, .longitude]
    for field in TrackField.all(in: style) where !placed.contains(field) {
      guard fixes.contains(where: { field.value(of: $0, style) != nil }) else { continue }
      putList(field.rawValue, fixes, to: &text) { fix, text in
        guard let value = field.value(of: fix, style) else { return text += "null" }
        field.append(value, style, to: &text)
      }
    }
    text += "},\"geometry\":"
    putGeometry(fixes, isSpatial, to: &text)
    text += "}"
  }

  private func putList(
    _ name: String, _ fixes: ArraySlice<Fix>, to text: inout [UInt8],
    _ put: (Fix, inout [UInt8]) -> Void
  ) {
    text += ",\"\(name)\":["
    for index in fixes.indices {
      if index > fixes.startIndex { text += "," }
      put(fixes[index], &text)
    }
    text += "]"
  }

  /// A line, or a point when there is one fix; with heights when all are known.
  private func putGeometry(
    _ fixes: ArraySlice<Fix>, _ isSpatial: Bool, to text: inout [UInt8]
  ) {
    let isLine = fixes.count > 1
    text +=
      isLine ? "{\"type\":\"LineString\",\"coordinates\":[" : "{\"type\":\"Point\",\"coordinates\":"
    for index in fixes.indices {
      let fix = fixes[index]
      if index > fixes.startIndex { text += "," }
      text += "["
      TrackField.longitude.append(fix.coordinate.longitude, style, to: &text)
      text += ","
      TrackField.latitude.append(fix.coordinate.latitude, style, to: &text)
      if isSpatial, let altitude = TrackField.altitude.value(of: fix, style) {
        text += ","
        TrackField.altitude.append(altitude, style, to: &text)
      }
      text += "]"
    }
    text += isLine ? "]}" : "}"
  }
}
