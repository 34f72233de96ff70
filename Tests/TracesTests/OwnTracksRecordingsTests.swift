@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

private let stored =
  "2025-03-10T14:02:07Z\t*                 \t"
  + #"{"_type":"location","tid":"jj","acc":12,"batt":55,"lat":52.5163,"lon":13.3777,"#
  + #""tst":1741615327,"vel":36,"cog":270,"alt":34,"vac":3,"conn":"w"}"# + "\n"
  + "2025-03-10T14:02:09Z\tevent             \t"
  + #"{"_type":"transition","event":"enter","lat":1,"lon":2,"tst":1741615329}"# + "\r\n\n"
  + "2025-03-10T14:02:10Z\tlwt               \tgone\n"
  + #"2025-03-10T14:02:11Z"# + "\t*                 \t"
  + #"{"cog":-1,"vel":-1,"alt":0,"vac":-1,"acc":0,"lon":2,"lat":1,"_type":"location"}"# + "\n"

@Suite("OwnTracks Recorder")
struct OwnTracksRecordingsTests {
  private func read(_ text: String, pieces: [Int] = []) -> Decoded {
    decode(text, with: LineTraceDecoder<OwnTracksRecordings>(), pieces: pieces)
  }

  @Test("positions that the Recorder stored are fixes, and other messages are counted")
  func recorder() throws {
    let decoded = read(stored)
    #expect(decoded.issues.isEmpty && decoded.devices == ["jj"])
    #expect(decoded.points.map(\.line) == [1, 5] && decoded.points.map(\.device) == [0, 0])
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.time == Timestamp(nanoseconds: 1_741_615_327_000_000_000))
    #expect(fix.coordinate == Coordinate(latitude: 52.5163, longitude: 13.3777))
    #expect(fix.horizontalAccuracy == 12 && fix.verticalAccuracy == 3 && fix.altitude == 34)
    #expect(fix.speed == 10 && fix.course == 270)
    #expect(decoded.marks == ["1: otherRecord", "1: otherRecord"])
  }

  @Test("values below zero are unknown, as the apps mean them")
  func unknown() throws {
    let fix = try #require(read(stored).points.last?.fix)
    #expect(fix.time == nil && fix.speed == nil && fix.course == nil)
    #expect(fix.verticalAccuracy == nil && fix.horizontalAccuracy == nil)
  }

  private static let prefix = "2025-03-10T14:02:07Z\t*\t"

  @Test("numbers of old apps are texts")
  func texts() throws {
    let decoded = read(
      Self.prefix
        + #"{"tst":"1376715317","acc":"75","_type":"location","alt":"13","lat":"48.5","lon":"2.25"}"#
    )
    let fix = try #require(decoded.points.first?.fix)
    #expect(decoded.issues.isEmpty && fix.horizontalAccuracy == 75 && fix.altitude == 13)
    #expect(fix.time == Timestamp(nanoseconds: 1_376_715_317_000_000_000))
    #expect(fix.coordinate == Coordinate(latitude: 48.5, longitude: 2.25))
  }

  @Test(
    "a bad line is reported, and the next is read",
    arguments: [
      (
        "hello",
        #"record 1:1 found "hello", expected a time, a kind of topic and a message of OwnTracks"#
      ),
      (
        prefix + #"{"_type":"location","lat":1}"#,
        "record 1:24 the record has no longitude; it is left out"
      ),
      (
        prefix + #"{"lat":"north","lon":2,"_type":"location"}"#,
        #"record 1:31 lat is "north", where a number of decimal degrees was expected; it is left out"#
      ),
      (
        prefix + #"{"vel":[1],"lat":1,"lon":2,"_type":"location"}"#,
        "record 1:31 vel is an array, where a number of kilometres per hour was expected; it is left out"
      ),
      (prefix + #"{"_type":}"#, #"record 1:33 found "}", expected a value"#),
      (prefix + #"{"lat":1,"lon":2} x"#, #"record 1:42 found "x", expected the end of the text"#),
    ])
  func badLine(line: String, issue: String) {
    let decoded = read(line + "\n" + stored)
    #expect(decoded.issues.map(\.shown) == [issue])
    #expect(decoded.points.count >= 2 && decoded.points.last?.line == 6)
  }

  @Test("a cut line is truncated")
  func truncated() {
    for cut in [10, 30, 90] {
      let decoded = read(String(stored.prefix(cut)))
      #expect(decoded.issues.map(\.kind) == [.truncated], "\(cut)")
    }
  }

  @Test("cut at any byte, the same is read")
  func cuts() {
    let whole = read(stored)
    for cut in 0...stored.utf8.count {
      #expect(read(stored, pieces: [cut]) == whole, "\(cut)")
    }
  }

  @Test("the content shows the format")
  func detection() {
    for count in 0...stored.utf8.count {
      let head = Array(stored.utf8.prefix(count))[...]
      let found = TraceFormat.detect(head, isFinal: count == stored.utf8.count)
      #expect(
        found == .undecided && count < stored.utf8.count || found == .format(.ownTracksRecordings))
    }
  }

  @Test("blanks in place of the tabs, as a copied text has them, change nothing")
  func blanks() {
    let copied = stored.replacing("\t", with: "  ")
    #expect(read(copied).points == read(stored).points)
    #expect(
      TraceFormat.detect(Array(copied.utf8)[...], isFinal: true) == .format(.ownTracksRecordings))
  }
}
