@testable import Formats
@testable import GPSD
@testable import Receivers
@testable import Text

extension Subject {
  /// The formats of traces.
  static let traces = [
    Subject(name: "gpx", decodes: "GPX 1.0 and 1.1") { bytes in
      var plain = GPXDecoder()
      plain.usesShapes = false
      return try checkPieces(GPXDecoder(), alike: plain, bytes)
    },
    Subject(name: "tcx", decodes: "Garmin's Training Center Database") {
      try checkPieces(XMLTraceDecoder<TCXContent>(), $0)
    },
    Subject(name: "kml", decodes: "KML 2.2 and 2.3") {
      try checkPieces(XMLTraceDecoder<KMLContent>(), $0)
    },
    Subject(name: "fit", decodes: "FIT, of sport devices") {
      try checkPieces(FITDecoder(), FITSizes.mended($0), isBinary: true)
    },
    Subject(name: "igc", decodes: "IGC, of flight recorders") {
      try checkPieces(LineTraceDecoder<IGCContent>(), $0)
    },
    Subject(name: "vbox", decodes: "VBOX, of Racelogic's data loggers") {
      try checkPieces(LineTraceDecoder<VBOXContent>(), $0)
    },
    Subject(name: "owntracks-recordings", decodes: "messages that OwnTracks Recorder stored") {
      try checkPieces(LineTraceDecoder<OwnTracksRecordings>(), $0)
    },
    Subject(name: "google-records", decodes: "Google's Records.json") {
      try checkPieces(JSONTraceDecoder(JSONRecords(.google)), $0)
    },
    Subject(name: "owntracks-json", decodes: "messages of OwnTracks") {
      try checkPieces(JSONTraceDecoder(JSONRecords(.ownTracks)), $0)
    },
    Subject(name: "traccar-json", decodes: "positions of Traccar's API") {
      try checkPieces(JSONTraceDecoder(JSONRecords(.traccar)), $0)
    },
    Subject(name: "json-table", decodes: "records of JSON with the names of columns") {
      try checkPieces(JSONTraceDecoder(JSONTable(ReadingOptions())), $0)
    },
    Subject(name: "geojson-track", decodes: "tracks in GeoJSON") {
      try checkPieces(JSONTraceDecoder(GeoJSONContent(ReadingOptions())), $0)
    },
    Subject(name: "google-timeline", decodes: "Google's timelines") {
      try checkPieces(JSONTraceDecoder(GoogleTimelineContent(ReadingOptions())), $0)
    },
    Subject(name: "nmea", decodes: "sentences of NMEA 0183") { bytes in
      try checkPieces(ReceiverLogDecoder(), NMEAChecksums.mended(bytes))
    },
    Subject(name: "gpsd-log", decodes: "logs of gpsd's JSON and recordings with their headers") {
      try checkPieces(ReceiverLogDecoder(), $0)
    },
    Subject(name: "gpsd-line", decodes: "lines of gpsd's, by our reader and by libgps") {
      try checkReaders($0)
    },
    Subject(name: "csv", decodes: "tables of fixes") { try checkPieces(CSVDecoder(), $0) },
    Subject(name: "ndjson", decodes: "a fix a line, as in event logs") {
      var plain = NDJSONDecoder()
      plain.usesShapes = false
      return try checkPieces(NDJSONDecoder(), alike: plain, $0)
    },
  ]

  private static let libgps = LibgpsReader.orSwift().reader

  /// All readers of gpsd's lines say the same, to the bit, whatever lines they learnt from before.
  private static func checkReaders(_ bytes: [UInt8]) throws -> Bool {
    var isTaken = false
    var (swift, libgps) = (SwiftGPSDReader(), libgps)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let full = Result { () throws(JSONError) in try SwiftGPSDReader.readInFull(line.span) }
      try checkAlike(full, Result { () throws(JSONError) in try swift.read(line.span) })
      try checkAlike(full, Result { () throws(JSONError) in try libgps.read(line.span) })
      if case .success = full { isTaken = true }
    }
    return isTaken
  }

  private static func checkAlike(
    _ one: Result<GPSDReport, JSONError>, _ other: Result<GPSDReport, JSONError>
  ) throws {
    switch (one, other) {
    case (.success(let a), .success(let b)) where a.isIdentical(to: b): return
    case (.failure(let a), .failure(let b)) where a == b: return
    default: try hold("readers of gpsd's lines say the same", false, "\(one)\n\(other)")
    }
  }
}

/// Headers that are right, which a fuzzer does not find by itself.
enum FITSizes {
  /// The bytes with the signature and the size that a file of them alone has, when the last byte of the
  /// input is odd; else as they are.
  static func mended(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 16, let last = bytes.last, last & 1 == 1 else { return bytes }
    let size = UInt32(bytes.count - 14)
    let header = [12, 0x20, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    return header + Array(".FIT".utf8) + bytes.dropFirst(12)
  }
}

/// Sentences with right sums, which a fuzzer does not find by itself.
enum NMEAChecksums {
  /// The lines with the sum that each of them should have behind its `*`, when the first byte of
  /// the input is odd; else as they are.
  static func mended(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.first, first & 1 == 1 else { return bytes }
    var result = bytes
    var sum: UInt8?
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "$"), UInt8(ascii: "!"): sum = 0
      case UInt8(ascii: "*"):
        if let sum, index + 2 < bytes.count {
          result[index + 1] = digit(sum >> 4)
          result[index + 2] = digit(sum & 15)
        }
        sum = nil
      default: sum = sum.map { $0 ^ byte }
      }
    }
    return result
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
