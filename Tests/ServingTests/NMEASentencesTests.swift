import Geodesy
import TestSupport
import Testing
import Tracking

@testable import Serving

private func sentences(_ fix: Fix) -> [String] {
  var buffer: [UInt8] = []
  NMEASentences.append(fix, to: &buffer)
  let text = String(decoding: buffer, as: UTF8.self)
  #expect(text.hasSuffix("\r\n"))
  return text.split(separator: "\r\n").map(String.init)
}

/// Whether the two digits after the asterisk are the exclusive or of the bytes before it.
private func isChecked(_ sentence: String) -> Bool {
  let parts = sentence.dropFirst().split(separator: "*", omittingEmptySubsequences: false)
  guard parts.count == 2, sentence.first == "$", parts[1].count == 2 else { return false }
  let sum = parts[0].utf8.reduce(0, ^)
  return UInt8(parts[1], radix: 16) == sum && parts[1] == parts[1].uppercased()
}

@Suite("A fix as NMEA 0183")
struct NMEASentencesTests {
  @Test("is RMC, VTG, GGA and GSA, with checksums computed elsewhere")
  func full() {
    // The common example of NMEA 0183 descriptions, with milliseconds and more decimals.
    let time = Timestamp(nanoseconds: 764_426_119_000_000_000)
    let fix = makeFix(48.1173, 11.0 + 31.0 / 60, time: time) { fix in
      fix.mode = .threeD
      fix.speed = 22.4 * 1852 / 3600
      fix.course = 84.4
      fix.altitude = 545.4
      fix.ellipsoidalAltitude = 592.3
      fix.hdop = 0.9
      fix.satellites = 8
    }
    #expect(
      sentences(fix) == [
        "$GPRMC,123519.000,A,4807.03800,N,01131.00000,E,22.400,84.40,230394,,,A*52",
        "$GPVTG,84.40,T,,M,22.400,N,41.485,K,A*0D",
        "$GPGGA,123519.000,4807.03800,N,01131.00000,E,1,08,0.90,545.4,M,46.9,M,,*69",
        "$GPGSA,A,3,,,,,,,,,,,,,,0.90,*0B",
      ])
  }

  @Test("has the errors of a fix as GST, alike along both axes")
  func errors() {
    let lines = sentences(
      makeFix { fix in
        fix.horizontalAccuracy = AccuracyRadius.sigmas * 4
        fix.verticalAccuracy = 7.25
      })
    #expect(lines.map { $0.prefix(6) } == ["$GPRMC", "$GPGGA", "$GPGST"])
    #expect(lines[2].dropLast(3) == "$GPGST,140207.000,,,,,4.000,4.000,7.250")
  }

  @Test("has satellites by system, used ones in GSA and four a GSV")
  func satellites() {
    var values = SentenceValues()
    values.dimensions = 3
    values.hdop = 0.9
    values.satellites = (1...5).map {
      Satellite(
        talker: "GP", number: $0, elevation: 40.4, azimuth: 7, signal: $0 == 5 ? nil : 33,
        isUsed: $0 != 2)
    }
    values.satellites.append(
      Satellite(
        talker: "GL", number: 70, elevation: nil, azimuth: nil, signal: nil, isUsed: true))
    var buffer: [UInt8] = []
    NMEASatellites.append(values, to: &buffer)
    let lines = String(decoding: buffer, as: UTF8.self).split(separator: "\r\n").map(String.init)
    #expect(lines.allSatisfy(isChecked))
    #expect(
      lines.map { $0.dropLast(3) } == [
        "$GNGSA,A,3,01,03,04,05,,,,,,,,,,0.90,", "$GNGSA,A,3,70,,,,,,,,,,,,,0.90,",
        "$GPGSV,2,1,05,01,40,007,33,02,40,007,33,03,40,007,33,04,40,007,33",
        "$GPGSV,2,2,05,05,40,007,", "$GLGSV,1,1,01,70,,,",
      ])
  }

  @Test(
    "keeps how a position was found",
    arguments: [
      (1, "1", "A"), (2, "2", "D"), (3, "4", "R"), (4, "5", "F"), (5, "6", "E"), (6, "6", "E"),
      (7, "7", "M"), (8, "8", "S"), (9, "3", "P"), (0, "1", "A"),
    ])
  func status(status: Int, quality: String, mode: String) {
    var values = SentenceValues()
    values.coordinate = Coordinate(latitude: 1, longitude: 2)
    values.status = status
    var buffer: [UInt8] = []
    NMEASentences.append(values, to: &buffer)
    let lines = String(decoding: buffer, as: UTF8.self).split(separator: "\r\n")
    #expect(lines[0].dropLast(3).hasSuffix(",\(mode)"))
    #expect(lines[1].contains(",E,\(quality),"))
  }

  @Test("leaves unknown fields empty")
  func bare() {
    #expect(
      sentences(makeFix(-33.5, -70.25)).map { $0.dropLast(3) } == [
        "$GPRMC,140207.000,A,3330.00000,S,07015.00000,W,,,100325,,,A",
        "$GPGGA,140207.000,3330.00000,S,07015.00000,W,1,,,,M,,M,,",
      ])
    #expect(
      sentences(makeFix(1, 2, time: nil)).map { $0.dropLast(3) } == [
        "$GPRMC,,A,0100.00000,N,00200.00000,E,,,,,,A",
        "$GPGGA,,0100.00000,N,00200.00000,E,1,,,,M,,M,,",
      ])
  }

  @Test("without a position has status V and no coordinates")
  func none() {
    for fix in [makeFix { $0.mode = .none }, makeFix(.nan, 0), makeFix(91, 0)] {
      #expect(
        sentences(fix).map { $0.dropLast(3) } == [
          "$GPRMC,140207.000,V,,,,,,,100325,,,N", "$GPGGA,140207.000,,,,,0,,,,M,,M,,",
        ])
    }
  }

  @Test("marks differential and military solutions")
  func quality() {
    let differential = sentences(makeFix { $0.mode = .differential })
    #expect(differential[0].dropLast(3).hasSuffix(",D"))
    #expect(differential[1].contains(",E,2,"))
    #expect(sentences(makeFix { $0.mode = .precise })[1].contains(",E,3,"))
  }

  @Test("never has sixty minutes or seconds")
  func rounding() {
    let time = noon.advanced(byNanoseconds: 52_999_600_000)
    let lines = sentences(makeFix(51.9999999999, -179.99999999999, time: time))
    #expect(lines[0].hasPrefix("$GPRMC,140300.000,A,5200.00000,N,18000.00000,W,"))
    #expect(sentences(makeFix(90, 180))[1].contains(",9000.00000,N,18000.00000,E,"))
  }

  @Test("has a right checksum and at most 82 characters for any fix")
  func bounds() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      func wild() -> Double? {
        let usual = Double.random(in: -1e6...1e6, using: &random)
        let all = [nil, 0, -1e300, .infinity, 99_999.96, -99_999, usual]
        return all.randomElement(using: &random) ?? nil
      }
      let fix = makeFix(
        .random(in: -91...91, using: &random), .random(in: -181...181, using: &random),
        time: Timestamp(nanoseconds: .random(in: .min ... .max, using: &random))
      ) { fix in
        fix.mode = Fix.Mode.allCases.randomElement(using: &random) ?? .unknown
        fix.speed = wild()
        fix.course = wild()
        fix.altitude = wild()
        fix.ellipsoidalAltitude = wild()
        fix.hdop = wild()
        fix.vdop = wild()
        fix.horizontalAccuracy = wild()
        fix.verticalAccuracy = wild()
        fix.satellites = .random(in: 0...40_000, using: &random)
      }
      for sentence in sentences(fix) {
        #expect(isChecked(sentence), "seed \(seed): \(sentence)")
        #expect(sentence.utf8.count + 2 <= 82, "seed \(seed): \(sentence)")
      }
    }
  }
}
