import Glibc
import Tracking

/// A long track for the benchmarks, laid out as Garmin's programs do it.
///
/// One element a line, with heart rate and cadence. It is written as it is made, so its length costs no memory.
enum BigTrack {
  private static let start = Timestamp(2026, 1, 1)
  /// Metres per degree of latitude, and of longitude at the middle of the track, near enough.
  private static let metresPerDegree = (latitude: 111_250.0, longitude: 68_700.0)
  private static let middle = (latitude: 52.0, longitude: 13.0)
  /// Bytes that are gathered before they are written.
  private static let chunk = 1 << 20

  /// Writes `count` points at 1 Hz to a new file.
  static func write(points count: Int, to path: String) throws(WriteFailure) {
    guard let file = fopen(path, "w") else { throw WriteFailure(path: path) }
    var isWhole = put(header, to: file)
    var text = ""
    for second in 0..<count where isWhole {
      text += point(at: second)
      if text.utf8.count > chunk {
        isWhole = put(text, to: file)
        text.removeAll(keepingCapacity: true)
      }
    }
    isWhole = isWhole && put(text + footer, to: file)
    guard fclose(file) == 0, isWhole else { throw WriteFailure(path: path) }
  }

  private static func put(_ text: String, to file: UnsafeMutablePointer<FILE>) -> Bool {
    fputs(text, file) >= 0
  }

  /// A ride in ever other loops around a town of 20 km, at 6 to 14 m/s.
  private static func point(at second: Int) -> String {
    let time = Double(second)
    let east = 8000 * sin(time / 1000) + 900 * sin(time / 131)
    let north = 9000 * sin(time / 1130 + 1) + 700 * cos(time / 97)
    let latitude = middle.latitude + north / metresPerDegree.latitude
    let longitude = middle.longitude + east / metresPerDegree.longitude
    let height = 60 + 25 * sin(time / 600)
    return """
            <trkpt lat="\(String(latitude, decimals: 10))" lon="\(String(longitude, decimals: 10))">
              <ele>\(String(height, decimals: 1))</ele>
              <time>\(start.advanced(bySeconds: time).text(alwaysWithMilliseconds: true))</time>
              <extensions>
                <ns3:TrackPointExtension>
                  <ns3:atemp>\(18 + second / 900 % 9)</ns3:atemp>
                  <ns3:hr>\(118 + second / 7 % 41)</ns3:hr>
                  <ns3:cad>\(74 + second / 5 % 19)</ns3:cad>
                </ns3:TrackPointExtension>
              </extensions>
            </trkpt>

      """
  }

  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx creator="make-stories" version="1.1"
      xmlns="http://www.topografix.com/GPX/1/1"
      xmlns:ns3="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
      <metadata>
        <time>\(start.text(alwaysWithMilliseconds: true))</time>
      </metadata>
      <trk>
        <name>Big track</name>
        <type>cycling</type>
        <trkseg>

    """

  private static let footer = """
        </trkseg>
      </trk>
    </gpx>

    """
}
