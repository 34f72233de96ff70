/// The documents for maps in which tracks and events are written: how they begin and end.
package enum MapDocument: Sendable {
  case gpx, geoJSON, kml

  /// Appends what comes before the first element.
  ///
  /// - Parameter namespaces: Further attributes of the root of an XML document.
  package func begin(_ namespaces: String = "", into buffer: inout [UInt8]) {
    let text =
      switch self {
      case .gpx:
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="waymark" xmlns="http://www.topografix.com/GPX/1/1"\
        \(namespaces) xmlns:wm="urn:waymark:gpx:1">\n
        """
      case .geoJSON: "{\"type\":\"FeatureCollection\",\"features\":["
      case .kml:
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2"\(namespaces)>
        <Document>\n
        """
      }
    buffer.append(contentsOf: text.utf8)
  }

  /// Appends what comes after the last element; `isEmpty` is whether there was none.
  package func end(isEmpty: Bool = false, into buffer: inout [UInt8]) {
    let text =
      switch self {
      case .gpx: "</gpx>\n"
      case .geoJSON: isEmpty ? "]}\n" : "\n]}\n"
      case .kml: "</Document>\n</kml>\n"
      }
    buffer.append(contentsOf: text.utf8)
  }
}
