@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

@Suite("The stays of Google's timelines")
struct TimelineStayTests {
  /// The minutes and latitudes of the fixes of a timeline; `more` are its other segments.
  private func read(stayUntil end: Int, _ more: [String] = []) -> [String] {
    let stay =
      #"{"startTime":\#(1_600_000_000),"endTime":\#(1_600_000_000 + 60 * end),"#
      + #""visit":{"topCandidate":{"placeLocation":"geo:1,2"}}}"#
    let decoded = decode(
      "[" + ([stay] + more).joined(separator: ",") + "]",
      with: JSONTraceDecoder(GoogleTimelineContent(ReadingOptions())))
    #expect(decoded.issues.isEmpty)
    return decoded.points.map { point in
      let seconds = (point.fix.time?.nanoseconds ?? 0) / 1_000_000_000 - 1_600_000_000
      return "\(seconds / 60) \(point.fix.coordinate.latitude)"
    }
  }

  private func path(_ minute: Int) -> String {
    #"{"timelinePath":[{"point":"geo:3,2","time":\#(1_600_000_000 + 60 * minute)}]}"#
  }

  private func trip(_ from: Int, _ until: Int, from start: Int, to end: Int) -> String {
    #"{"startTime":\#(1_600_000_000 + 60 * from),"endTime":\#(1_600_000_000 + 60 * until),"#
      + #""activity":{"start":"geo:\#(start),2","end":"geo:\#(end),2"}}"#
  }

  @Test("the first and the last half hour have a fix every five minutes, as the person was there")
  func parts() {
    #expect(
      read(stayUntil: 720) == [
        "0 1.0", "5 1.0", "10 1.0", "15 1.0", "20 1.0", "25 1.0", "30 1.0", "35 1.0", "685 1.0",
        "690 1.0", "695 1.0", "700 1.0", "705 1.0", "710 1.0", "715 1.0",
        "720 1.0",
      ])
    #expect(read(stayUntil: 42) == [0, 5, 7, 12, 17, 22, 27, 32, 37, 42].map { "\($0) 1.0" })
    #expect(read(stayUntil: 12) == ["0 1.0", "2 1.0", "7 1.0", "12 1.0"])
    #expect(read(stayUntil: 5) == ["0 1.0", "5 1.0"])
    #expect(read(stayUntil: -60) == ["-60 1.0", "0 1.0"])
  }

  @Test("it is left as it is where the timeline has something else in the stay")
  func interrupted() {
    #expect(read(stayUntil: 720, [path(300)]) == ["0 1.0", "300 3.0", "720 1.0"])
    #expect(read(stayUntil: 60, [trip(-9, 0, from: 3, to: 1)]).count == 14)
  }

  @Test("a trip that ends where it began is no stay")
  func roundTrip() {
    #expect(
      read(stayUntil: 5, [trip(60, 180, from: 4, to: 4)]) == [
        "0 1.0", "5 1.0", "60 4.0", "180 4.0",
      ])
  }
}
