import Formats
import Geodesy
@testable import Session
import TestSupport
import Testing
import Traces
import Tracking

@Suite("Where segments begin")
struct SegmentStartsTests {
  /// The latitudes of the fixes with which the segments of a file begin.
  private func starts(_ text: String, noted: Bool = true) throws -> [Double]? {
    let folder = try ScratchFolder()
    try folder.write("track", bytes: Array(text.utf8))
    let feed = try #require(
      try TraceFeed.open([folder.file("track")], options: ReadingOptions()) { _ in }.first)
    if noted { feed.starts = SegmentStarts() }
    var slice = TraceSlice()
    while try feed.take(&slice) {}
    return feed.starts?.all.map(\.coordinate.latitude)
  }

  private static func point(_ latitude: Int, time: Bool = true) -> String {
    let time = time ? "<time>2026-05-04T08:00:\(10 + latitude)Z</time>" : ""
    return "<trkpt lat='\(latitude)' lon='13'>\(time)</trkpt>"
  }

  @Test("is their first fix with a time, in each segment and track; nothing unless it is wanted")
  func segments() throws {
    let text =
      "<gpx><trk><trkseg>\(Self.point(1))\(Self.point(2))</trkseg><trkseg>"
      + "\(Self.point(3, time: false))\(Self.point(4))\(Self.point(5))</trkseg></trk>"
      + "<trk><trkseg>\(Self.point(6))\(Self.point(7))</trkseg></trk></gpx>"
    #expect(try starts(text) == [1, 4, 6])
    #expect(try starts(text, noted: false) == nil)
  }

  @Test("is the first fix of each device")
  func devices() throws {
    let text = "device,time,latitude,longitude\na,1,1,13\na,2,2,13\nb,1,3,13\na,3,4,13\nb,2,5,13\n"
    #expect(try starts(text) == [1, 3])
  }
}
