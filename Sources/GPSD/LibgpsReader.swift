@_implementationOnly import CGPS
internal import Locking
package import Receivers
package import Text
internal import Tracking

/// Reads lines of gpsd's JSON with libgps, gpsd's own library.
///
/// libgps misreads or loses parts of valid JSON without reporting an error. So it only gets TPV and SKY
/// lines in gpsd's own plain form (``GPSDPlainLine``), and its result is checked against the fields of
/// the line. ``SwiftGPSDReader`` reads all other lines. Both readers give the same reports, to the bit,
/// so a recording replays to the same events on any machine.
package struct LibgpsReader: GPSDLineReader {
  private let decoder: LibgpsDecoder
  private var fallback = SwiftGPSDReader()

  private init(decoder: LibgpsDecoder) {
    self.decoder = decoder
  }

  /// A reader, or the reason why libgps cannot be used.
  package static func open() -> Result<LibgpsReader, LibgpsError> {
    let api = CGPSVersion()
    guard api > 0 else { return .failure(.notBuilt) }
    guard let decoder = LibgpsDecoder() else { return .failure(.noMemory) }
    let reader = LibgpsReader(decoder: decoder)
    if reader.passesSelfTest { return .success(reader) }
    return .failure(.doesNotFit(version: "\(api / 100).\(api % 100)"))
  }

  /// A reader with libgps; where libgps cannot be used, a reader in Swift with equal results, and why.
  package static func orSwift() -> (reader: any GPSDLineReader, error: LibgpsError?) {
    switch open() {
    case .success(let reader): (reader, nil)
    case .failure(let error): (SwiftGPSDReader(), error)
    }
  }

  package mutating func read(_ line: Span<UInt8>) throws(JSONError) -> GPSDReport {
    if let report = readPlain(line) { return report }
    return try fallback.read(line)
  }

  /// Reads a line with libgps; nil when the line is not in plain form or libgps missed a part of it.
  func readPlain(_ line: Span<UInt8>) -> GPSDReport? {
    guard let plain = GPSDPlainLine(line) else { return nil }
    switch plain.kind {
    case .position: return decoder.position(line).flatMap { $0.report(of: plain) }
    case .sky: return decoder.sky(line).flatMap { $0.report(of: plain) }
    }
  }

  // MARK: Self-test

  /// Lines with a distinct value for every field, and one with few fields.
  ///
  /// A libgps whose release differs from the gps.h of the build has another memory layout.
  private static let canaries = [
    #"{"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"#
      + #""time":"2025-03-10T14:02:07.250Z","ept":0.005,"lat":52.516275123,"lon":-13.377704456,"#
      + #""altHAE":78.25,"altMSL":34.5,"alt":34.75,"epx":3.125,"epy":4.25,"epv":9.5,"#
      + #""track":271.5,"magtrack":268.125,"magvar":3.5,"speed":13.25,"climb":-0.125,"#
      + #""epd":2.625,"eps":30.125,"epc":69.25,"geoidSep":43.75,"eph":7.375,"sep":19.5}"#,
    #"{"class":"TPV","alt":34.75}"#,
    #"{"class":"SKY","device":"/dev/ttyACM0","xdop":0.5,"ydop":0.625,"vdop":1.125,"tdop":0.75,"#
      + #""hdop":0.875,"gdop":1.5,"pdop":1.375,"satellites":[{"PRN":5,"el":40.0,"az":100.0,"#
      + #""ss":35.0,"used":true},{"PRN":7,"el":41.0,"az":101.0,"ss":36.0,"used":true},"#
      + #"{"PRN":9,"el":42.0,"az":102.0,"ss":37.0,"used":false}]"#,
  ]

  /// The end of a SKY: libgps 3.20 drops a SKY with counts, 3.25 and later one without.
  private static var skyEnd: String { CGPSVersion() < 1000 ? "}" : #","nSat":3,"uSat":2}"# }

  /// Whether libgps reads the test lines correctly.
  private var passesSelfTest: Bool {
    var swift = SwiftGPSDReader()
    for canary in Self.canaries {
      let line = Array((canary.hasSuffix("}") ? canary : canary + Self.skyEnd).utf8)
      guard let expected = try? swift.read(line.span), let report = readPlain(line.span),
        report.isIdentical(to: expected)
      else { return false }
    }
    return true
  }
}

/// Why libgps cannot be used.
package enum LibgpsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The build found no gps.h, or one that is too old.
  case notBuilt
  /// The library fails the self-test.
  case doesNotFit(version: String)
  case noMemory

  package var description: String {
    switch self {
    case .notBuilt: "built without libgps-dev 3.20 or later"
    case .doesNotFit(let version):
      "the installed libgps does not match the gps.h (API \(version)) of this build; build again"
    case .noMemory: "libgps is out of memory"
    }
  }
}
