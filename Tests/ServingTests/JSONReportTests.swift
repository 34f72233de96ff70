import Geodesy
import Testing
import Traces
import Tracking

@testable import Serving

/// 2025-03-10T14:02:07Z.
let noon = Timestamp(nanoseconds: 1_741_615_327_000_000_000)

func makeFix(
  _ latitude: Double = 52.5163, _ longitude: Double = 13.3777, time: Timestamp? = noon,
  _ change: (inout Fix) -> Void = { _ in }
) -> Fix {
  var fix = Fix(time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude))
  change(&fix)
  return fix
}

private func lines(_ fix: Fix, _ path: String = "replay://van") -> [String] {
  var buffer: [UInt8] = []
  JSONReport.append(fix, of: path, to: &buffer)
  let text = String(decoding: buffer, as: UTF8.self)
  #expect(text.hasSuffix("\r\n"))
  return text.dropLast().split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
}

@Suite("A fix as gpsd's JSON")
struct JSONReportTests {
  @Test("has all known values, in gpsd's order and units")
  func full() {
    let fix = makeFix { fix in
      fix.mode = .threeD
      fix.altitude = 48.5
      fix.ellipsoidalAltitude = 88.25
      fix.horizontalAccuracy = 5.8
      fix.verticalAccuracy = 10
      fix.speed = 13.25
      fix.speedAccuracy = 0.5
      fix.course = 271.5
      fix.courseAccuracy = 2
      fix.hdop = 1.5
      fix.vdop = 2.25
      fix.pdop = 2.75
      fix.satellites = 3
    }
    #expect(
      lines(fix) == [
        #"{"class":"SKY","device":"replay://van","time":"2025-03-10T14:02:07.000Z","#
          + #""vdop":2.25,"hdop":1.5,"pdop":2.75,"satellites":[{"PRN":1,"used":true},"#
          + #"{"PRN":2,"used":true},{"PRN":3,"used":true}],"nSat":3,"uSat":3}"#,
        #"{"class":"TPV","device":"replay://van","mode":3,"time":"2025-03-10T14:02:07.000Z","#
          + #""lat":52.516300000,"lon":13.377700000,"altHAE":88.25,"altMSL":48.5,"alt":48.5,"epx":7.530372,"#
          + #""epy":7.530372,"epv":19.59964,"track":271.5,"speed":13.25,"epd":3.919928,"#
          + #""eps":0.979982,"geoidSep":39.75,"eph":9.404481}"#,
      ])
  }

  @Test(
    "the kind of the solution is the status, a plain one has none", arguments: SolutionKind.allCases
  )
  func solutions(kind: SolutionKind) {
    var buffer: [UInt8] = []
    JSONReport.append(makeFix(), of: "x", kind, to: &buffer)
    let status = kind == .plain ? "" : #""status":\#(kind.rawValue),"#
    #expect(
      String(decoding: buffer, as: UTF8.self).hasPrefix(
        #"{"class":"TPV","device":"x",\#(status)"mode":2,"time":"#))
    buffer = []
    JSONReport.append(makeFix { $0.mode = .none }, of: "x", kind, to: &buffer)
    #expect(!String(decoding: buffer, as: UTF8.self).contains("status"))
  }

  @Test("leaves out unknown values")
  func bare() {
    #expect(
      lines(makeFix(-33.85, -151.2)) == [
        #"{"class":"TPV","device":"replay://van","mode":2,"time":"2025-03-10T14:02:07.000Z","#
          + #""lat":-33.850000000,"lon":-151.200000000}"#
      ])
  }

  @Test("has no time if the fix has none, and only mode 1 without a position")
  func missing() {
    #expect(
      lines(makeFix(1, 2, time: nil)) == [
        #"{"class":"TPV","device":"replay://van","mode":2,"lat":1.000000000,"lon":2.000000000}"#
      ])
    let none = [
      #"{"class":"TPV","device":"replay://van","mode":1,"time":"2025-03-10T14:02:07.000Z"}"#
    ]
    #expect(lines(makeFix { $0.mode = .none }) == none)
    for (latitude, longitude) in [(Double.nan, 0), (0, .infinity), (90.1, 0), (0, -180.5)] {
      #expect(lines(makeFix(latitude, longitude) { $0.speed = 3 }) == none)
    }
    #expect(
      lines(makeFix(.nan, .nan, time: nil)) == [
        #"{"class":"TPV","device":"replay://van","mode":1}"#
      ])
  }

  @Test(
    "reports the kind of solution as gpsd does",
    arguments: [
      (.unknown, nil, #""mode":2,"#), (.unknown, 3, #""mode":3,"#), (.twoD, 3, #""mode":2,"#),
      (.threeD, nil, #""mode":3,"#), (.differential, 3, #""status":2,"mode":3,"#),
      (.differential, nil, #""status":2,"mode":2,"#), (.precise, 3, #""status":9,"mode":3,"#),
    ] as [(Fix.Mode, Double?, String)])
  func mode(mode: Fix.Mode, altitude: Double?, expected: String) {
    let line = lines(
      makeFix { fix in
        fix.mode = mode
        fix.altitude = altitude
      })[0]
    #expect(line.hasPrefix(#"{"class":"TPV","device":"replay://van","# + expected))
  }

  @Test(
    "gives a time exactly, and no more decimals than it has",
    arguments: [
      (0, "07.000Z"), (500_000_000, "07.500Z"), (1_000, "07.000001Z"), (1, "07.000000001Z"),
      (999_999_999, "07.999999999Z"), (120_000_000, "07.120Z"),
    ] as [(Int64, String)])
  func time(nanoseconds: Int64, expected: String) {
    let line = lines(makeFix(time: noon.advanced(byNanoseconds: nanoseconds)))[0]
    #expect(line.contains(#""time":"2025-03-10T14:02:"# + expected + "\""))
  }

  @Test("leaves out numbers that JSON cannot represent")
  func infinite() {
    let line = lines(
      makeFix { fix in
        fix.speed = .infinity
        fix.altitude = -.infinity
        fix.course = 0
      })[0]
    #expect(line.hasSuffix(#""lon":13.377700000,"track":0.0}"#))
  }

  @Test("lists no more satellites than libgps accepts, but counts them all")
  func satellites() {
    let sky = lines(makeFix { $0.satellites = 30_000 })[0]
    #expect(sky.split(separator: "PRN").count == 141)
    #expect(sky.hasSuffix(#""nSat":30000,"uSat":30000}"#))
    #expect(sky.utf8.count < 10_240)
    let none = lines(makeFix { $0.satellites = 0 })[0]
    #expect(none.hasSuffix(#""satellites":[],"nSat":0,"uSat":0}"#))
    #expect(lines(makeFix { $0.hdop = 2 })[0].hasSuffix(#""hdop":2.0}"#))
  }
}
