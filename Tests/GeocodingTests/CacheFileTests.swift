import Foundation
import Glibc
import Geodesy
import Locking
import TestSupport
import Testing

@testable import Geocoding

@Suite("A cache on disk") struct CacheFileTests {
  private static let name = "waymark-places.jsonl"
  private let clock = HandClock()
  private let stub = StubGeocoder([.init(gate, radius: 100_000, names: ["gate"])])
  private let told = Told()

  /// What is reported.
  private final class Told: Sendable {
    private let lines = Mutex<[String]>([])
    func tell(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private func cache(
    _ folder: String, limit: Int = 10_000, cell: Double = 100, source: String = ""
  ) throws -> CachedGeocoder {
    let configuration = try CachedGeocoder.Configuration(
      folder: folder, cell: cell, limit: limit, source: source)
    return CachedGeocoder(stub, configuration, now: clock.now) { [told] in told.tell($0) }
  }

  /// The number of a place in a row of them, each in a cell of its own.
  private func place(_ number: Int) -> Coordinate {
    gate.coordinate.destination(bearing: 0, distance: Double(number) * 250)
  }

  private func fill(_ cache: CachedGeocoder, _ numbers: Range<Int>) async throws {
    for number in numbers { _ = try await cache.reverse(place(number)) }
  }

  @Test("answers outlive the program, and so do empty ones") func restart()
    async throws
  {
    let scratch = try ScratchFolder()
    let folder = scratch.file("a/b")
    let first = try cache(folder)
    let places = try await first.reverse(place(1))
    await #expect(throws: GeocoderError.noResult) { try await first.forward("nowhere\n at: all") }
    let second = try cache(folder)
    #expect(second.count == 2)
    #expect(try await second.reverse(place(1)) == places)
    await #expect(throws: GeocoderError.noResult) { try await second.forward("nowhere at: all") }
    #expect(stub.requestCount == 2)
    #expect(told.all.isEmpty)
  }

  @Test("the file is private to its owner, and so is a folder created for it") func modes()
    async throws
  {
    let scratch = try ScratchFolder()
    try await fill(try cache(scratch.file("a/b")), 0..<3)
    #expect(try scratch.mode("a") == 0o700)
    #expect(try scratch.mode("a/b") == 0o700)
    #expect(try scratch.mode("a/b/\(Self.name)") == 0o600)
    #expect(try scratch.names() == ["a", "a/b", "a/b/\(Self.name)"])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: scratch.file("a/b/\(Self.name)"))
    #expect(try cache(scratch.file("a/b")).count == 3)
    #expect(try scratch.mode("a/b/\(Self.name)") == 0o600)
  }

  @Test("expired answers are ignored, and removed from the file") func expiry() async throws {
    let scratch = try ScratchFolder()
    let first = try cache(scratch.path)
    try await fill(first, 0..<2)
    clock.pass(29 * 86_400)
    try await fill(first, 2..<3)
    let before = try scratch.read(Self.name)
    clock.pass(86_400)
    #expect(try cache(scratch.path).count == 1)
    #expect(try scratch.read(Self.name).utf8.count < before.utf8.count)
    #expect(told.all.isEmpty)
  }

  @Test("a damaged byte loses one answer at most") func damage() async throws {
    let scratch = try ScratchFolder()
    try await fill(try cache(scratch.path), 0..<4)
    let whole = Array(try scratch.read(Self.name).utf8)
    let file = CacheFile(folder: scratch.path, cell: 100, source: "")
    let entries = file.content(of: whole).entries
    #expect(entries.count == 4)
    for place in whole.indices {
      for mask in [0x01, 0x80, 0x2A] as [UInt8] {
        var bytes = whole
        bytes[place] ^= mask
        let content = file.content(of: bytes)
        // An end of a line joins two; the first line is no answer.
        #expect(content.damaged > 0 && content.isUntidy, "byte \(place)")
        #expect(content.entries.count >= 2, "byte \(place)")
        #expect(
          content.entries.allSatisfy { found in
            entries.contains { $0.key == found.key && $0.entry == found.entry }
          }, "byte \(place)")
      }
    }
  }

  @Test("a file cut anywhere keeps the answers before the cut") func cut() async throws {
    let scratch = try ScratchFolder()
    try await fill(try cache(scratch.path), 0..<3)
    let whole = Array(try scratch.read(Self.name).utf8)
    let file = CacheFile(folder: scratch.path, cell: 100, source: "")
    for count in whole.indices {
      let ends = whole[..<count].count { $0 == CacheLine.end }
      let content = file.content(of: Array(whole[..<count]))
      // What lacks only the end of its line is whole.
      let isWhole = whole[count] == CacheLine.end
      #expect(content.entries.count == max(0, ends - 1 + (isWhole && ends > 0 ? 1 : 0)))
      #expect(content.damaged <= 1)
    }
  }

  @Test("a damaged file is reported, repaired and used again") func mended() async throws {
    let scratch = try ScratchFolder()
    try await fill(try cache(scratch.path), 0..<3)
    let text = try scratch.read(Self.name)
    try scratch.write(Self.name, text.dropLast(30) + "\u{0}\n\n{}\nx")
    let second = try cache(scratch.path)
    #expect(second.count == 2)
    #expect(
      told.all == [
        "\(scratch.file(Self.name)) is damaged: 3 of its lines are dropped"
      ])
    try await fill(second, 0..<3)
    #expect(stub.requestCount == 4)
    #expect(try cache(scratch.path).count == 3)
    #expect(told.all.count == 1)
  }

  @Test("random noise is reported as damage, never worse") func noise() {
    var random = SeededGenerator(seed: 4)
    let file = CacheFile(folder: "", cell: 100, source: "")
    for round in 0..<200 {
      let bytes = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let content = file.content(of: bytes)
      #expect(content.entries.isEmpty && content.otherHeader == nil, "seed 4, round \(round)")
    }
  }

  @Test("well-formed but invalid answers are requested again") func misleading()
    async throws
  {
    let scratch = try ScratchFolder()
    var file = CacheFile(folder: scratch.path, cell: 100, source: "")
    let key = CacheKey.text(of: try .reverse(place(1)), grid: CoordinateGrid(size: 100))
    let far = #"[{"here":false,"place":{"coordinate":{"latitude":91,"longitude":0}}}]"#
    for (time, body) in [
      (1_699_999_999, "{}"), (Int64.min, "[]"), (.max, "[]"), (1_699_999_999, far),
      (1_699_999_999, ""), (1_699_999_999, String(repeating: "[", count: 10_000)),
    ] {
      try file.replace(with: [(key, .init(time: time, body: Array(body.utf8)))])
      let before = stub.requestCount
      #expect(try await cache(scratch.path).reverse(place(1)).count == 1)
      #expect(stub.requestCount == before + 1)
    }
  }

  @Test("a cache of another version, source or size of cells starts over and is reported")
  func others() async throws {
    let scratch = try ScratchFolder()
    let path = scratch.file(Self.name)
    try await fill(try cache(scratch.path), 0..<3)
    #expect(try cache(scratch.path, source: "b").count == 0)
    #expect(try cache(scratch.path, cell: 50, source: "b").count == 0)
    try Data(CacheLine(.init(version: 7)).first).write(to: URL(filePath: path))
    #expect(try cache(scratch.path).count == 0)
    let other = "\(path) has the answers of another source or other cells: it starts over"
    #expect(
      told.all == [
        other, other,
        "\(path) is a cache of version 7, this program has version 1: it starts over",
      ])
    #expect(try cache(scratch.path).count == 0)
    #expect(told.all.count == 3)
  }

  @Test("an unwritable folder is reported once, and names are kept in memory")
  func unwritable() async throws {
    let scratch = try ScratchFolder()
    try scratch.write("file", "")
    let cache = try cache(scratch.file("file"))
    try await fill(cache, 0..<3)
    try await fill(cache, 0..<3)
    #expect(stub.requestCount == 3)
    #expect(
      told.all == [
        "\(scratch.file("file/\(Self.name)")) cannot be used: not a directory; "
          + "place names are kept in memory until the program ends"
      ])
  }

  @Test("anything but a regular file is not opened", arguments: ["folder", "pipe", "link"])
  func noFile(kind: String) async throws {
    let scratch = try ScratchFolder()
    let path = scratch.file(Self.name)
    switch kind {
    case "folder":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    default:
      try scratch.write("elsewhere", "precious")
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: scratch.file("elsewhere"))
    }
    let cache = try cache(scratch.path)
    try await fill(cache, 0..<3)
    #expect(cache.count == 3)
    #expect(told.all.count == 1)
    if kind == "link" { #expect(try scratch.read("elsewhere") == "precious") }
  }

  @Test("a stale draft is overwritten, and a cache that another program rewrites is left alone")
  func drafts() async throws {
    let scratch = try ScratchFolder()
    let draft = "\(Self.name).new"
    try scratch.write(draft, String(repeating: "left", count: 10_000), mode: 0o644)
    try await fill(try cache(scratch.path), 0..<3)
    #expect(try cache(scratch.path).count == 3)
    #expect(try scratch.names() == [Self.name])
    #expect(try scratch.mode(Self.name) == 0o600)
    let other = open(scratch.file(Self.name), O_WRONLY)
    defer { close(other) }
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    clock.pass(30 * 86_400)
    let before = try scratch.read(Self.name)
    #expect(try cache(scratch.path).count == 0)
    #expect(try scratch.read(Self.name) == before)
    #expect(told.all.isEmpty)
  }

  @Test("a draft that cannot replace the cache is removed, and the failure is reported")
  func noPlace()
    async throws
  {
    let scratch = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: scratch.file("\(Self.name)/x"), withIntermediateDirectories: true)
    var file = CacheFile(folder: scratch.path, cell: 100, source: "")
    #expect(throws: CacheFile.Failure.self) { try file.replace(with: []) }
    #expect(try scratch.names() == [Self.name, "\(Self.name)/x"])
  }

  @Test("a deleted file is created again") func gone() async throws {
    let scratch = try ScratchFolder()
    let first = try cache(scratch.path)
    try await fill(first, 0..<2)
    try FileManager.default.removeItem(atPath: scratch.file(Self.name))
    try await fill(first, 2..<3)
    #expect(try cache(scratch.path).count == 1)
    #expect(told.all.isEmpty)
  }

  @Test("the file is bounded, and keeps the most recently used answers") func compaction()
    async throws
  {
    let scratch = try ScratchFolder()
    let first = try cache(scratch.path, limit: 50)
    try await fill(first, 0..<1)
    for number in 1..<1_050 {
      _ = try await first.reverse(place(number % 350))
      _ = try await first.reverse(place(0))
    }
    let lines = try scratch.read(Self.name).split(separator: "\n")
    #expect(lines.count < 150)
    let second = try cache(scratch.path, limit: 50)
    #expect(second.count == 50)
    let before = stub.requestCount
    try await fill(second, 0..<1)
    #expect(stub.requestCount == before)
    #expect(told.all.isEmpty)
  }

  @Test("two programs share a file, also when one rewrites it") func shared() async throws {
    let scratch = try ScratchFolder()
    let (one, two) = (try cache(scratch.path), try cache(scratch.path))
    try await fill(two, 0..<5)
    for number in 0..<1_001 {
      await #expect(throws: GeocoderError.noResult) { try await one.forward("nowhere \(number)") }
    }
    try await fill(two, 5..<6)
    #expect(try scratch.read(Self.name).split(separator: "\n").count == 1_008)
    #expect(try cache(scratch.path).count == 1_007)
    #expect(told.all.isEmpty)
  }
}

@Suite("Settings of a cache") struct CacheSettingTests {
  @Test("settings are within their ranges, bounds included") func ranges() throws {
    func setting(_ make: () throws -> CachedGeocoder.Configuration) -> String? {
      do {
        _ = try make()
        return nil
      } catch {
        return (error as? GeocoderSettingError)?.setting
      }
    }
    for folder in ["", "a\u{0}b"] { #expect(setting { try .init(folder: folder) } == "folder") }
    for cell in [0.99, 1_000_001, .nan, -1] { #expect(setting { try .init(cell: cell) } == "cell") }
    for days in [0, 3_661] {
      let time = Duration.seconds(days * 86_400)
      #expect(setting { try .init(lifetime: time) } == "lifetime")
      #expect(setting { try .init(nothingLifetime: time) } == "nothingLifetime")
    }
    for limit in [0, 1_000_001] { #expect(setting { try .init(limit: limit) } == "limit") }
    let second = Duration.seconds(1)
    for (cell, time, limit) in [(1.0, second, 1), (1e6, second * 86_400 * 3_660, 1_000_000)] {
      #expect(
        setting { try .init(cell: cell, lifetime: time, nothingLifetime: time, limit: limit) }
          == nil)
    }
  }
}
