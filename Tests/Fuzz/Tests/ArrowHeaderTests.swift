import ArrowStreams
import Foundation
import Testing

/// Headers of Arrow streams that lack a part.
///
/// A part that is missing is an offset of 0 in a table of 16-bit offsets, so each such word of a stream is set
/// to 0. nanoarrow takes some parts to be there and would stop the program.
@Suite("Arrow streams whose headers lack a part", .enabled(if: ArrowSupport.isBuiltIn))
struct ArrowHeaderTests {
  @Test(
    "is refused or read, and never ends the program",
    arguments: ["plain", "dictionary", "metadata"])
  func missing(name: String) throws {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appendingPathComponent("Corpora/arrow-stream/\(name)")
    let stream = [UInt8](try Data(contentsOf: file))
    let subject = try #require(Subject.all.first { $0.name == "arrow-stream" })
    var refused = 0
    for place in stride(from: 8, to: stream.count - 1, by: 2)
    where stream[place...place + 1] != [0, 0] {
      var bytes = stream
      (bytes[place], bytes[place + 1]) = (0, 0)
      if try !subject.check(bytes) { refused += 1 }
    }
    #expect(refused > 50)
  }
}
