@testable import Receivers
import TestSupport
import Testing
import Tracking

private func plain(_ line: String) -> GPSDPlainLine? {
  GPSDPlainLine(Array(line.utf8).span)
}

@Suite struct GPSDPlainLineTests {
  @Test("lines of gpsd are plain", arguments: GPSDLines.reports)
  func reports(release: String, line: String) throws {
    #expect(plain(line) != nil, "gpsd \(release): \(line)")
  }

  @Test("other classes are not")
  func others() {
    for line in GPSDLines.others { #expect(plain(line) == nil, "\(line)") }
  }

  @Test("a plain line lists its fields")
  func fields() throws {
    let position = try #require(
      plain(#"{"class":"TPV","device":"/dev/a","mode":2,"status":10,"lat":1,"lon":-2.5,"x":"y"}"#))
    #expect(position.kind == .position && position.device == GPSDDeviceKey(path: "/dev/a"))
    #expect(position.mode == 2 && position.status == 10)
    #expect(position.fields == [.device, .mode, .status, .latitude, .longitude])
    let sky = try #require(
      plain(
        #"{"class":"SKY","hdop":1.5,"nSat":9,"satellites":[{"PRN":1,"used":true},{"PRN":2}]}"#))
    #expect(sky.kind == .sky && sky.fields == [.hdop, .satellites])
    #expect(sky.satellitesUsed == 1 && sky.satellitesVisible == 2)
  }

  @Test(
    "lines that libgps loses or misreads are not plain",
    arguments: [
      #"{"class": "TPV","mode":3}"#, #"{"class":"TPV","mode": 3}"#, #"{"class":"TPV","mode":3} "#,
      #"{"mode":3,"class":"TPV"}"#, #"{"class":"TPV","class":"TPV"}"#, #"{"class":"TPV","mode":3"#,
      #"{"class":"TPV","mode":3,}"#, #"{"class":"TPV"}{"class":"TPV"}"#, #"{"class":"TPV",}"#,
      #"{"class":"TPV","x":[]}"#, #"{"class":"TPV","x":{}}"#, #"{"class":"TPV","x":null}"#,
      #"{"class":"TPV","lat":"1"}"#, #"{"class":"TPV","lat":1,"lat":2}"#,
      #"{"class":"TPV","lat":1e1}"#,
      #"{"class":"TPV","lat":01}"#, #"{"class":"TPV","lat":1.}"#, #"{"class":"TPV","lat":-}"#,
      #"{"class":"TPV","lat":1000}"#, #"{"class":"TPV","lat":1.123456789012}"#,
      #"{"class":"TPV","eph":1.1234567}"#, #"{"class":"TPV","eph":1234567890}"#,
      #"{"class":"TPV","mode":-1}"#, #"{"class":"TPV","mode":3.0}"#, #"{"class":"TPV","mode":03}"#,
      #"{"class":"TPV","device":"\/dev\/a"}"#, #"{"class":"TPV","device":"café"}"#,
      #"{"class":"TPV","m\u006fde":3}"#, #"{"class":"TPV","":3}"#,
      #"{"class":"TPV","time":"garbage"}"#, #"{"class":"TPV","time":"2025-02-29T00:00:00Z"}"#,
      #"{"class":"TPV","time":"2025-01-01T00:00:00.1234567Z"}"#,
      #"{"class":"TPV","time":"2016-12-31T23:59:60Z"}"#, #"{"class":"TPV","time":1}"#,
      #"{"class":"TPV","time":"1970-01-01T00:00:00Z"}"#,
      #"{"class":"TPV","time":"2025-01-01T00:00:00.Z"}"#,
      #"{"class":"TPV","time":"2025-01-01T24:00:00Z"}"#, #"{"class":"SKY","nSat":3}"#,
      #"{"class":"SKY","satellites":[{"used":true}]}"#,
      #"{"class":"SKY","satellites":[{"PRN":0}]}"#,
      #"{"class":"SKY","satellites":[3]}"#, #"{"class":"SKY","satellites":[{}]}"#,
      #"{"class":"SKY","satellites":[],"satellites":[]}"#, #"{"class":"SKY","satellites":null}"#,
      #"{"class":"SKY","satellites":[{"PRN":1,"class":"DEVICE"}]}"#,
      #"{"class":"SKY","satellites":[{"PRN":1,"used":1}]}"#, "", "{",
      #"{"class":"TPV","device":""# + String(repeating: "x", count: 121) + #""}"#,
      #"{"class":"TPV",""# + String(repeating: "x", count: 31) + #"":1}"#,
    ])
  func peculiar(line: String) {
    #expect(plain(line) == nil)
  }

  @Test("a plain line is read without an error, and agrees with the report")
  func law() throws {
    let seed: UInt64 = 0x6770_7364
    var mutator = GPSDMutator(seed: seed)
    var reader = SwiftGPSDReader()
    var plainLines = 0
    for round in 0..<20_000 {
      let line = mutator.next()
      guard let plain = GPSDPlainLine(line.span) else { continue }
      plainLines += 1
      let comment: Comment = "seed \(seed) round \(round): \(String(decoding: line, as: UTF8.self))"
      guard let report = try? reader.read(line.span) else {
        Issue.record(comment)
        continue
      }
      switch report {
      case .position(let position):
        #expect(plain.kind == .position && plain.device == position.device, comment)
        #expect(plain.mode == position.mode && plain.status == position.status, comment)
        #expect(plain.fields.contains(.time) == (position.time != nil), comment)
        #expect(plain.fields.contains(.latitude) == !position.latitude.isNaN, comment)
        #expect(plain.fields.contains(.speed) == !position.speed.isNaN, comment)
        let altitudes = plain.fields.intersection([.altitude, .oldAltitude])
        #expect(altitudes.isEmpty == position.altitude.isNaN, comment)
      case .sky(let sky):
        #expect(plain.kind == .sky && plain.device == sky.device, comment)
        let hasList = plain.fields.contains(.satellites)
        #expect(sky.satellitesUsed == (hasList ? plain.satellitesUsed : nil), comment)
        #expect(sky.satellitesVisible == (hasList ? plain.satellitesVisible : nil), comment)
      default: Issue.record(comment)
      }
    }
    #expect(plainLines > 2_000, "the mutations leave no plain line")
  }

  @Test("a number that is a few units in the last place off is corrected")
  func numbers() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let decimals = Int.random(in: 0...GPSDNumber.degreeDecimals, using: &random)
      let fraction = (0..<decimals).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
      let text = "\(Int.random(in: -999...999, using: &random)).\(fraction)0"
      let number = try #require(Double(text))
      let off = number + Double(Int.random(in: -8...8, using: &random)) * number.ulp
      #expect(GPSDNumber.degrees(off) == number, "\(text)")
    }
    for _ in 0..<20_000 {
      let text =
        "\(Int.random(in: -999_999_999...999_999_999, using: &random))"
        + ".\(Int.random(in: 100_000...999_999, using: &random))"
      let number = try #require(Double(text))
      let off = number + Double(Int.random(in: -3...3, using: &random)) * number.ulp
      #expect(GPSDNumber.metres(off) == number, "\(text)")
    }
    #expect(GPSDNumber.degrees(.nan).isNaN && GPSDNumber.metres(.nan).isNaN)
  }
}
