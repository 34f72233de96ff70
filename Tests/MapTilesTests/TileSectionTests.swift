import TestSupport
import Testing

@testable import MapTiles
@testable import Settings

@Suite("The section tiles of a config")
struct TileSectionTests {
  private func settings(_ text: String) throws(ConfigurationError) -> TileSettings? {
    try Configuration(
      Array("tiles: \(text)".utf8), file: "/etc/waymark/w.yaml", sections: [TileSection.self],
      load: ConfigurationFile.read)[TileSection.self]
  }

  private func errors(_ text: String) -> [String] {
    do {
      _ = try settings(text)
      return []
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }

  @Test("names a file, which must have tiles, or a server")
  func forms() throws {
    let folder = try ScratchFolder()
    let path = try TileFixture.write("\(folder.path)/a.mbtiles", tiles: TileFixture.world(0...0))
    #expect(try settings(path) == TileSettings(source: .file(path), attribution: nil))
    let url = "https://tile.example.org:8080/{z}/{x}/{y}.png?key=1"
    let server = try #require(TileServer(url))
    #expect(server.origin == "https://tile.example.org:8080")
    #expect(
      try settings("{source: '\(url)', attribution: us}")
        == TileSettings(source: .server(server), attribution: "us"))
  }

  @Test("reports a file that cannot be read at its place")
  func missing() {
    #expect(
      errors("none.mbtiles") == [
        "/etc/waymark/w.yaml:1:8: tiles: /etc/waymark/none.mbtiles: cannot read map tiles: "
          + "no such file or directory"
      ])
    #expect(errors("{attribution: us}").count == 1)
    #expect(errors("{source: 'http://a/{z}/{x}/{y}', zoom: 3}").count == 1)
  }

  @Test(
    "accepts no URL that is not of the form, or would add to the page's policy",
    arguments: [
      "https://tile.example.org/{z}/{x}.png", "https://{s}.example.org/{z}/{x}/{y}.png",
      "https://tile.example.org/{z}/{x}/{y}{r}.png", "ftp://tile.example.org/{z}/{x}/{y}.png",
      "https:///{z}/{x}/{y}.png", "https://user:secret@example.org/{z}/{x}/{y}.png",
      "https://a.example; script-src/{z}/{x}/{y}.png", "https://a,b/{z}/{x}/{y}",
      "https://*/{z}/{x}/{y}", "https://tile.example.org/{z}/{x}/{y} .png",
    ])
  func invalid(_ url: String) {
    let found = errors("'\(url)'")
    #expect(found.count == 1)
    #expect(found[0].contains("tiles: found '\(url)', expected an MBTiles file such as"))
  }

  @Test("is in the summary of a config")
  func summary() throws {
    let config = try Configuration(
      Array("tiles: 'https://tile.example.org/{z}/{x}/{y}.png'".utf8), file: "w.yaml",
      sections: [TileSection.self], load: ConfigurationFile.read)
    #expect(config.summary.contains("tiles: https://tile.example.org, which reports request"))
  }
}
