import CZlib
import Geodesy
import Glibc
import Simulation
import Testing
import Tracking

@testable import make_stories

@Suite struct StoryTests {
  /// The folder traces/ of this checkout.
  private static let traces = "\(root)/traces"
  private static var root: String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
  }

  /// The contents of a file, decompressed; nil when it does not exist.
  private static func contents(_ path: String) -> [UInt8]? {
    guard access(path, R_OK) == 0, let file = gzopen(path, "rb") else { return nil }
    defer { gzclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = gzread(file, &chunk, UInt32(chunk.count))
      guard count > 0 else { return bytes }
      bytes += chunk.prefix(Int(count))
    }
  }

  @Test(
    "the stories in traces/ are those that the generator writes", arguments: Story.all.map(\.name))
  func committed(name: String) throws {
    let story = try #require(Story.all.first { $0.name == name })
    var template = Array("/tmp/stories-XXXXXX".utf8CString)
    _ = try #require(mkdtemp(&template))
    let directory = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    try StoryFiles.write([story], to: directory)
    for file in story.files {
      let path = "\(name)/\(file.name)"
      let written = try #require(Self.contents("\(directory)/\(path)"))
      #expect(written == Self.contents("\(Self.traces)/\(path)"), "run make-stories: \(path)")
      #expect(written == Array(file.text.utf8))
      unlink("\(directory)/\(path)")
    }
    unlink("\(directory)/README.md")
    rmdir("\(directory)/\(name)")
    rmdir(directory)
  }

  @Test("plain geometry finds the truth of every story, unless the story expects flapping")
  func plainGeometry() {
    for story in Story.all {
      guard case .within(let tolerance) = story.agreement else { continue }
      for recording in story.recordings {
        let told = PlainGeometry.crossings(in: recording, of: story.fences)
        let truth = recording.truth(of: story.fences).map(\.crossing)
        for fence in story.fences {
          let told = told.filter { $0.fence == fence.id && $0.kind != .dwell }
          let truth = truth.filter { $0.fence == fence.id && $0.kind != .dwell }
          let place = "\(story.name), \(recording.device), \(fence.id)"
          #expect(told.map(\.kind) == truth.map(\.kind), "\(place)")
          for (told, truth) in zip(told, truth) {
            let late = told.time.seconds(since: truth.time)
            #expect(abs(late) <= tolerance, "\(place): \(truth.kind) found \(late) s late")
          }
        }
      }
    }
  }

  @Test("in an urban canyon plain geometry finds many false crossings")
  func flapping() throws {
    let story = Story.cityNoise
    let recording = try #require(story.recordings.first)
    #expect(recording.truth(of: story.fences).count == 2)
    #expect(PlainGeometry.crossings(in: recording, of: story.fences).count > 10)
  }

  @Test("the list of stories is the one that the generator writes")
  func index() {
    #expect(
      Self.contents("\(Self.traces)/README.md") == Array(StoryFiles.index(of: Story.all).utf8))
  }

  @Test("every story has true crossings, and all stories together are small")
  func size() {
    let stories = Story.all
    #expect(stories.allSatisfy { !$0.truth.isEmpty })
    #expect(Set(stories.map(\.name)).count == stories.count)
    let bytes = stories.flatMap(\.files).map(\.text.utf8.count).reduce(0, +)
    #expect(bytes < 3_000_000)
  }

  @Test("a true crossing of a circle lies on its edge")
  func onTheEdge() {
    for story in Story.all {
      for (_, crossing) in story.truth where crossing.kind != .dwell {
        let fence = story.fences.first { $0.id == crossing.fence }
        guard case .circle(let center, let radius)? = fence?.area else { continue }
        let off = crossing.coordinate.distance(to: center) - radius
        #expect(abs(off) < 1e-3, "\(story.name), \(crossing.fence)")
      }
    }
  }
}
