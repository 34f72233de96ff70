internal import CGPS
internal import Locking
package import Traces
internal import Tracking

/// Reads lines of gpsd's JSON with libgps, gpsd's own library.
///
/// libgps does not say when it loses or misreads something, which it does with much that is correct
/// JSON. So it is given TPV and SKY in the plain form of gpsd only (``GPSDPlainLine``), what it
/// returns is held against what the line has, and every other line is read by
/// ``SwiftGPSDReader``. Both readers hence give the same reports, to the bit: a recording replays
/// as what was watched.
package struct LibgpsReader: GPSDLineReader {
  private let decoder: LibgpsDecoder
  private var fallback = SwiftGPSDReader()

  private init(decoder: LibgpsDecoder) {
    self.decoder = decoder
  }

  /// A reader, or why there is none.
  package static func open() -> Result<LibgpsReader, LibgpsAbsence> {
    let api = CGPSVersion()
    guard api > 0 else { return .failure(.notBuilt) }
    guard let decoder = LibgpsDecoder() else { return .failure(.noMemory) }
    let reader = LibgpsReader(decoder: decoder)
    if reader.passesSelfTest { return .success(reader) }
    return .failure(.doesNotFit(version: "\(api / 100).\(api % 100)"))
  }

  /// libgps where it is; what reads the same without it, and why, where it is not.
  package static func orSwift() -> (reader: any GPSDLineReader, absence: LibgpsAbsence?) {
    switch open() {
    case .success(let reader): (reader, nil)
    case .failure(let absence): (SwiftGPSDReader(), absence)
    }
  }

  package mutating func read(_ line: Span<UInt8>) throws(JSONError) -> GPSDReport {
    if let report = readPlain(line) { return report }
    return try fallback.read(line)
  }

  /// What libgps reads; nil when the line is not for it, or when it has not read all of it.
  func readPlain(_ line: Span<UInt8>) -> GPSDReport? {
    guard let plain = GPSDPlainLine(line) else { return nil }
    switch plain.kind {
    case .position: return decoder.position(line).flatMap { $0.report(of: plain) }
    case .sky: return decoder.sky(line).flatMap { $0.report(of: plain) }
    }
  }

  // MARK: Self-test

  /// Lines with a value of its own for every field, and one with none.
  ///
  /// A libgps of another release than the gps.h that this was built with keeps its values elsewhere.
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

  /// What closes a SKY: gpsd 3.20 drops one that has counts, 3.25 and later one that has none.
  private static var skyEnd: String { CGPSVersion() < 1000 ? "}" : #","nSat":3,"uSat":2}"# }

  /// Whether libgps itself reads the canaries as they are.
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

/// Why lines are not read with libgps.
package enum LibgpsAbsence: Error, Sendable, Hashable, CustomStringConvertible {
  /// There was no gps.h, or only one that is too old.
  case notBuilt
  /// The library misreads what the self-test gives it.
  case doesNotFit(version: String)
  case noMemory

  package var description: String {
    switch self {
    case .notBuilt: "built without libgps-dev 3.20 or later"
    case .doesNotFit(let version):
      "the libgps that is installed does not fit the gps.h (API \(version)) that this was built "
        + "with, build anew"
    case .noMemory: "there is no memory for libgps"
    }
  }
}
