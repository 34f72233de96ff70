@testable import Formats
import Foundation
import Testing
@testable import Traces

@Suite("Stories in pieces")
struct PieceTests {
  @Test(
    "a story's track reads the same in pieces of any size",
    arguments: Story.all.filter { !$0.track.hasSuffix(".gz") }, [1, 7, 4_096])
  func pieces(story: Story, size: Int) throws {
    // Enough for some hundred records; byte by byte, a decoder begins each of them anew.
    let bytes = try Array(Data(contentsOf: URL(filePath: story.path(story.track)))).prefix(60_000)
    #expect(read(Array(bytes), pieces: size) == read(Array(bytes), pieces: bytes.count))
  }

  private func read(_ bytes: [UInt8], pieces size: Int) -> [String] {
    guard case .format(let format) = TraceFormat.detect(bytes[...]) else { return [] }
    var decoder = format.decoder(ReadingOptions(), isConverted: false)
    var batch = TraceBatch()
    var (start, end) = (0, 0)
    while !decoder.isFinished, start < bytes.count {
      end = min(bytes.count, end + size)
      let part = Array(bytes[start..<end])
      start += decoder.decode(part.span, isFinal: end == bytes.count, into: &batch)
    }
    return batch.points.map { "\($0)" } + batch.marks.map { "\($0)" } + batch.devices
  }
}
