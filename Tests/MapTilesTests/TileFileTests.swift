import Foundation
import Geodesy
import TestSupport
import Testing

@testable import MapTiles

@Suite("Map tiles from a file")
struct TileFileTests {
  private let folder: ScratchFolder
  private var path: String { folder.path + "/map.mbtiles" }

  init() throws { folder = try ScratchFolder() }

  @Test("are those with a place and those around them, of every zoom")
  func around() throws {
    try TileFixture.write(path, attribution: "us", tiles: TileFixture.world(0...5))
    let file = try TileFile(path: path)
    #expect(file.zooms == 0...5)
    #expect(file.mediaType == "image/png")
    #expect(file.attribution == "us")
    let found = try file.tiles(around: [TileFixture.berlin])
    #expect(found.remark == nil)
    let zooms = Dictionary(grouping: found.images, by: \.tile.zoom)
    #expect(zooms.mapValues(\.count) == [0: 1, 1: 4, 2: 9, 3: 9, 4: 9, 5: 9])
    #expect(found.images.allSatisfy { $0.image == Data(repeating: UInt8($0.tile.zoom), count: 3) })
    // The tile of Berlin as other programs number it.
    #expect(zooms[5]?[4].tile == Tile(zoom: 5, x: 17, y: 10))
  }

  @Test("go on over the antimeridian, and end at the poles")
  func edges() throws {
    try TileFixture.write(path, tiles: TileFixture.world(4...4))
    let file = try TileFile(path: path)
    let fiji = try file.tiles(around: [Coordinate(latitude: -17, longitude: 180)])
    #expect(Set(fiji.images.map(\.tile.x)) == [14, 15, 0])
    let pole = try file.tiles(around: [Coordinate(latitude: 90, longitude: 0)])
    #expect(Set(pole.images.map(\.tile.y)) == [0, 1])
    #expect(try file.tiles(around: []).remark == "\(path): no tiles where the tracks are")
  }

  @Test("leave out the zooms that have no room, and say which")
  func room() throws {
    let half = TileFile.mostBytes / 10
    try TileFixture.write(path, tiles: TileFixture.world(1...3, bytes: half))
    let found = try TileFile(path: path).tiles(around: [TileFixture.berlin])
    #expect(found.images.map(\.tile.zoom) == [1, 1, 1, 1])
    #expect(
      found.remark
        == "\(path): the page has tiles of zooms below 2; more would exceed 8 MB")
  }

  @Test("are never written, nor is the file changed")
  func readOnly() throws {
    try TileFixture.write(path, tiles: TileFixture.world(0...1))
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    _ = try TileFile(path: path).tiles(around: [TileFixture.berlin])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["map.mbtiles"])
  }

  @Test("have one clear error for a file without tiles for a page")
  func unsuitable() throws {
    func error(_ make: () throws -> Void) throws -> String? {
      try? FileManager.default.removeItem(atPath: path)
      try make()
      do {
        _ = try TileFile(path: path)
        return nil
      } catch {
        return error.description.replacing("\(path): cannot read map tiles: ", with: "")
      }
    }
    #expect(try error {} == "no such file or directory")
    #expect(
      try error { try Data("no tiles, but text".utf8).write(to: URL(fileURLWithPath: path)) }
        == "it is not an MBTiles file")
    #expect(
      try error { try Data().write(to: URL(fileURLWithPath: path)) }
        == "it is a database, but no MBTiles file")
    #expect(
      try error { try TileFixture.write(path, format: "pbf", tiles: TileFixture.world(0...0)) }
        == "its tiles are vectors (pbf); expected png, jpg or webp")
    #expect(
      try error { try TileFixture.write(path, format: nil, tiles: TileFixture.world(0...0)) }
        == "its tiles are no format; expected png, jpg or webp")
    #expect(
      try error { try TileFixture.write(path, tiles: []) } == "it has no tiles of zoom 0 to 18")
  }
}
