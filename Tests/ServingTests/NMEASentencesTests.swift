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
  @Test("is RMC and GGA, with checksums computed elsewhere")
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
        "$GPGGA,123519.000,4807.03800,N,01131.00000,E,1,08,0.90,545.4,M,46.9,M,,*69",
      ])
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
        fix.satellites = .random(in: 0...40_000, using: &random)
      }
      for sentence in sentences(fix) {
        #expect(isChecked(sentence), "seed \(seed): \(sentence)")
        #expect(sentence.utf8.count + 2 <= 82, "seed \(seed): \(sentence)")
      }
    }
  }
}
