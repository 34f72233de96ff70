import Foundation
@testable import GPSD
import Receivers
import TestSupport
import Testing
import Text
import Tracking

/// Whether there is a libgps to test; when not, that is said once where a run can be read.
private let hasLibgps: Bool = {
  switch LibgpsReader.open() {
  case .success: return true
  case .failure(let error):
    print("libgps: \(error). The tests that compare both readers are SKIPPED.")
    return false
  }
}()

private func shown(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

/// Both readers, with the count of lines that libgps itself has read.
private final class Pair {
  private var libgps: LibgpsReader
  private var swift = SwiftGPSDReader()
  private(set) var read = 0

  init() throws {
    libgps = try LibgpsReader.open().get()
  }

  /// Whether both read the line alike, be it as an error.
  func agree(on line: [UInt8]) -> Bool {
    let expected = Result { () throws(JSONError) in try swift.read(line.span) }
    let found = Result { () throws(JSONError) in try libgps.read(line.span) }
    if libgps.readPlain(line.span) != nil { read += 1 }
    switch (expected, found) {
    case (.success(let expected), .success(let found)): return found.isIdentical(to: expected)
    case (.failure(let expected), .failure(let found)): return found == expected
    default: return false
    }
  }
}

@Suite struct LibgpsReaderTests {
  @Test("a missing libgps is reported with the reason")
  func absence() {
    switch LibgpsReader.open() {
    case .success: break
    case .failure(let error): #expect(error == .notBuilt)
    }
    #expect(LibgpsError.notBuilt.description == "built without libgps-dev 3.20 or later")
    #expect(
      LibgpsError.doesNotFit(version: "14.0").description
        == "the installed libgps does not match the gps.h (API 14.0) of this build; build again")
  }

  @Test("both readers read every release alike", .enabled(if: hasLibgps, "libgps is not installed"))
  func releases() throws {
    let pair = try Pair()
    for (release, line) in GPSDLines.reports {
      #expect(pair.agree(on: Array(line.utf8)), "gpsd \(release): \(line)")
    }
    for line in GPSDLines.others { #expect(pair.agree(on: Array(line.utf8)), "\(line)") }
    #expect(pair.read >= 6, "libgps has read \(pair.read) lines of \(GPSDLines.reports.count)")
  }

  @Test(
    "both readers read alike what libgps alone would lose or misread",
    .enabled(if: hasLibgps, "libgps is not installed"),
    arguments: [
      #"{"class":"TPV","mode":3,"lat":9.9"#, #"{"class":"TPV","mode":3,"time":"garbage"}"#,
      #"{"class":"TPV","mode":3,"x":{"y":1},"lat":1,"lon":2}"#,
      #"{"class":"TPV","mode":3,"x":[1],"lat":1,"lon":2}"#,
      #"{"class":"TPV","device":""# + String(repeating: "d", count: 200) + #"","lat":1,"lon":2}"#,
      #"{"class":"TPV","mode":"3","lat":"1","lon":2}"#,
      #"{"class":"TPV","mode":3,"ept":"0.005","lat":1,"lon":2}"#,
      #"{"class":"TPV","mode":3,"lat":1,"ept":"0.005"}"#,
      #"{"class":"TPV","mode":3,"ept":true,"lat":1,"lon":2}"#,
      #"{"class":"TPV","leapseconds":18.5,"lat":1,"lon":2}"#,
      #"{"class":"TPV","mode":3,"lat":91.5,"lon":200}"#, #"{"class": "TPV", "mode": 3}"#,
      #"{"class":"DEVICE","activated":0}"#, #"{"class":"TPV","mode":1}{"class":"TPV","mode":2}"#,
      #"{"class":"TPV","mode":3,"lat":null,"lon":NaN}"#, #"{"class":"TPV","mode":3,"lat":null}"#,
      #"{"class":"TPV","lat":0.1234567890123456789,"lon":1e-5}"#, #"{"class":"TPV","lat":1e400}"#,
      #"{"class":"TPV","lat":1,"lat":2,"mode":3,"mode":2}"#, #"{"class":"TPV","l\u0061t":1}"#,
      #"{"class":"TPV","time":"2016-12-31T23:59:60.000Z"}"#,
      #"{"class":"TPV","time":"1999-12-31T23:59:59.999Z"}"#,
      #"{"class":"TPV","time":"2038-01-19T03:14:08.000Z"}"#,
      #"{"class":"TPV","time":"2100-02-28T12:00:00.000001Z"}"#,
      #"{"class":"TPV","time":"2100-02-29T12:00:00.000Z"}"#,
      #"{"class":"TPV","time":"2025-01-01T00:00:00Z"}"#, #"{"class":"TPV","time":""}"#,
      #"{"class":"SKY","nSat":4,"uSat":3}"#, #"{"class":"SKY","nSat":4,"satellites":[]}"#,
      #"{"class":"SKY","satellites":[{"PRN":0,"used":true},{"PRN":-3},{"used":true}]}"#,
      #"{"class":"SKY","hdop":2,"satellites":[{"PRN":3,"unknown":1,"used":true}]}"#,
      #"{"class":"SKY","hdop":2,"satellites":[{"PRN":3,"unknown":"1","used":true}]}"#,
      #"{"class":"SKY","satellites":[{"PRN":3,"class":"DEVICE"}]}"#,
      "", " ", "null", "hello world", "{}",
    ])
  func peculiar(line: String) throws {
    let pair = try Pair()
    // What libgps knows of a whole line must not show through in the next.
    for whole in GPSDLines.reports {
      #expect(pair.agree(on: Array(whole.line.utf8)))
      #expect(pair.agree(on: Array(line.utf8)), "after gpsd \(whole.release): \(line)")
    }
  }

  @Test(
    "both readers read times with zero to nine decimals alike",
    .enabled(if: hasLibgps, "libgps is not installed"))
  func decimals() throws {
    let pair = try Pair()
    var fraction = ""
    for digit in ["", ".9", "9", "8", "7", "5", "4", "3", "5", "1"] {
      fraction += digit
      for year in [1971, 1999, 2016, 2038, 2100, 2199] {
        let line = #"{"class":"TPV","mode":3,"time":"\#(year)-12-31T23:59:59\#(fraction)Z"}"#
        #expect(pair.agree(on: Array(line.utf8)), "\(line)")
      }
    }
    #expect(pair.read == 7 * 6)
  }

  @Test(
    "many satellites, and a line of any length, are read alike",
    .enabled(if: hasLibgps, "libgps is not installed"))
  func sizes() throws {
    let pair = try Pair()
    for count in [0, 1, 12, 72, 120, 139, 140, 141, 183, 184, 185, 300] {
      let list = (0..<count).map { #"{"PRN":\#($0 + 1),"used":\#($0 % 3 == 0)}"# }
      let line = #"{"class":"SKY","hdop":1.5,"satellites":[\#(list.joined(separator: ","))]}"#
      #expect(pair.agree(on: Array(line.utf8)), "\(count) satellites")
    }
    for count in [10_100, 10_220, 10_240, 10_300, 20_480, 70_000] {
      let unknown = (0..<count / 10).map { _ in #","a":1.23"# }.joined()
      let line = #"{"class":"TPV","mode":3\#(unknown),"lat":1.5}"#
      #expect(pair.agree(on: Array(line.utf8)), "\(line.utf8.count) bytes")
    }
    var line = Array(GPSDLines.reports[0].line.utf8)
    line[30] = 0
    #expect(pair.agree(on: line))
  }

  /// `WAYMARK_FUZZ=3000000 swift test --filter LibgpsReaderTests` runs as many lines, from a seed of
  /// their own.
  @Test("both readers read damaged lines alike", .enabled(if: hasLibgps, "libgps is not installed"))
  func spoilt() throws {
    let environment = ProcessInfo.processInfo.environment
    let rounds = environment["WAYMARK_FUZZ"].flatMap(Int.init) ?? 20_000
    let seed = environment["WAYMARK_FUZZ_SEED"].flatMap(UInt64.init) ?? UInt64(rounds)
    var mutator = GPSDMutator(seed: seed)
    let pair = try Pair()
    for round in 0..<rounds {
      let line = mutator.next()
      #expect(pair.agree(on: line), "seed \(seed) round \(round): \(shown(line))")
    }
    print("libgps has read \(pair.read) of \(rounds) spoilt lines, seed \(seed)")
    #expect(pair.read > rounds / 10, "libgps has read \(pair.read) of \(rounds), seed \(seed)")
  }

  @Test(
    "copies of a reader can be used at once", .enabled(if: hasLibgps, "libgps is not installed"))
  func copies() async throws {
    let reader = try LibgpsReader.open().get()
    let counts = await withTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var copy = reader
          var right = 0
          for round in 0..<500 {
            let latitude = Double(task * 10) + Double(round) / 1000
            let line = Array(#"{"class":"TPV","mode":3,"lat":\#(latitude)}"#.utf8)
            if case .position(let position) = try? copy.read(line.span),
              position.latitude == latitude
            {
              right += 1
            }
          }
          return right
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [500, 500, 500, 500])
  }
}
