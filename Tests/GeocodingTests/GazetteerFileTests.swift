import CGazetteer
import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Geocoding

@Suite("Files of gazetteers") struct GazetteerFileTests {
  /// The bytes of the one that is part of every program.
  private var bytes: Data {
    Data(bytes: waymark_gazetteer_bytes(), count: Int(waymark_gazetteer_size()))
  }

  /// A folder that is gone after the test.
  private func withFile(_ data: Data, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "gazetteer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a.wmg")
    try data.write(to: file)
    try body(file.path())
  }

  @Test("a file answers as the same bytes in the program do")
  func file() throws {
    try withFile(bytes) { path in
      let (file, own) = (try Gazetteer(contentsOf: path), Gazetteer())
      #expect(file.placeCount == own.placeCount)
      #expect(own.placeCount > 30_000)
      for latitude in stride(from: -85.0, through: 85, by: 17) {
        for longitude in stride(from: -175.0, through: 175, by: 35) {
          let request = try GeocoderRequest.reverse(
            Coordinate(latitude: latitude, longitude: longitude))
          #expect(file.answerAtOnce(to: request) == own.answerAtOnce(to: request))
        }
      }
    }
  }

  @Test("a missing file, another file and another version are reported")
  func others() throws {
    #expect(throws: GazetteerError.unreadable(path: "/nowhere", reason: "there is no such file")) {
      try Gazetteer(contentsOf: "/nowhere")
    }
    try withFile(Data("id,latitude\n".utf8)) { path in
      #expect(throws: GazetteerError.notAGazetteer(path: path)) { try Gazetteer(contentsOf: path) }
    }
    try withFile(Data()) { path in
      #expect(throws: GazetteerError.notAGazetteer(path: path)) { try Gazetteer(contentsOf: path) }
    }
    var later = bytes
    later[8] = 7
    try withFile(later) { path in
      let error = GazetteerError.unknownVersion(path: path, 7)
      #expect(throws: error) { try Gazetteer(contentsOf: path) }
      #expect(
        error.description
          == "\(path) is a gazetteer of version 7, this program reads version 1; rebuild it "
          + "with 'make gazetteer'")
    }
  }

  @Test(
    "a file cut short or changed anywhere is rejected", arguments: [0, 1, 40, 96, 1_000, 1_900_000])
  func damaged(place: Int) throws {
    let whole = bytes
    try withFile(whole.prefix(max(place, 20))) { path in
      #expect(throws: GazetteerError.self) { try Gazetteer(contentsOf: path) }
    }
    var changed = whole
    changed[24 + place] ^= 0x10
    try withFile(changed) { path in
      let error = #expect(throws: GazetteerError.self) { try Gazetteer(contentsOf: path) }
      #expect(error?.description.contains("is damaged") == true)
    }
  }

  /// A file of our own with a right checksum, from sections as Docs/Geocoding.md has them.
  private func forged(cells: [UInt8], records: [UInt8], texts: [UInt8]) -> Data {
    let sections = [texts, [], [], [], [], [], [], cells, records]
    var (table, body) = ([UInt8](), [UInt8]())
    for section in sections {
      table += word(16 + 8 + 8 * sections.count + body.count) + word(section.count)
      body += section + Array(repeating: 0, count: (8 - section.count % 8) % 8)
    }
    let content = table + body
    let checksum = content.withUnsafeBytes { GazetteerBytes($0).checksum }
    return Data("WAYMARKG".utf8) + word(1) + word(sections.count)
      + withUnsafeBytes(of: checksum.littleEndian) { Array($0) } + content
  }

  private func word(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(number).littleEndian) { Array($0) }
  }

  /// The table of cells, from the index of the first place of each.
  private func cells(_ firsts: [Int]) -> [UInt8] {
    firsts.enumerated().flatMap { cell, first in
      [UInt8(cell & 255), UInt8(cell >> 8)] + word(first)
    }
  }

  @Test(
    "a made-up file with a right checksum is rejected when a search in it would take long",
    arguments: [
      // Every cell has every place; a cell ends before it begins; all places share a long name.
      ([0, 100, 0, 100, 0, 100], 3, false), ([0, 60, 40, 100], 3, false),
      ([0, 50, 100], 200, false), ([0, 50, 100], 3, true), ([0, 0, 100, 100], 3, true),
    ])
  func forgeries(firsts: [Int], name: Int, isAccepted: Bool) throws {
    let record: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let file = forged(
      cells: cells(firsts), records: (0..<100).flatMap { _ in record },
      texts: [UInt8(name)] + Array(repeating: UInt8(ascii: "a"), count: name))
    try withFile(file) { path in
      guard !isAccepted else {
        let gazetteer = try Gazetteer(contentsOf: path)
        return #expect(gazetteer.placeCount == 100)
      }
      #expect(throws: GazetteerError.damaged(path: path, "its places are not in order")) {
        try Gazetteer(contentsOf: path)
      }
    }
  }

  @Test("misleading bytes do not end an element")
  func misleading() throws {
    var random = SeededGenerator(seed: 20_261_122)
    let whole = bytes
    for round in 0..<400 {
      var changed = whole
      // The table of sections is hit often, whatever follows now and then.
      for _ in 0..<8 {
        let end = round % 2 == 0 ? 96 : changed.count
        changed[24 + Int(random.next() % UInt64(end - 24))] = UInt8(
          truncatingIfNeeded: random.next())
      }
      let gazetteer = Gazetteer(unchecked: changed)
      for _ in 0..<20 {
        let coordinate = Coordinate(
          latitude: Double(random.next() % 1801) / 10 - 90,
          longitude: Double(random.next() % 3601) / 10 - 180)
        let answer = gazetteer.answerAtOnce(to: try .reverse(coordinate))
        #expect(answer != nil, "seed 20261122, round \(round), \(coordinate)")
      }
    }
  }
}
