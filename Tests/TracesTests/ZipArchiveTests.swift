import TestSupport
import Testing
@testable import Traces

@Suite("ZIP archives")
struct ZipArchiveTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Bytes that do not pack well, so an entry of them has many pieces.
  private static let noise: [UInt8] = {
    var random = SeededGenerator(seed: 7)
    return (0..<300_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }()

  private func archive(_ entries: ZipText.Entry...) throws -> ZipArchive {
    try folder.write("a.zip", bytes: ZipText(entries).bytes)
    return try ZipArchive(path: folder.file("a.zip"))
  }

  /// The bytes of an entry, and why there are no more.
  private func read(
    _ entry: ZipEntry, step: Int = 10_000, rest: Bool = false
  ) throws -> (bytes: [UInt8], damage: String?) {
    var source = ByteSource(entry)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: step)
    while true {
      switch try source.read(into: &buffer, at: 0) {
      case .bytes(let count): all += buffer[..<count]
      case .end: return (all, nil)
      case .damaged(let reason): return (all, reason)
      }
      if rest { source.rest(step: step) }
    }
  }

  @Test("entries are read, packed or not, and again from any place")
  func entries() throws {
    var stored = ZipText.Entry("b/noise", Self.noise)
    stored.method = 0
    let archive = try archive(
      .init("a.csv", "time\n"), .init("noise", Self.noise), stored, .init("empty", ""))
    #expect(archive.problems.isEmpty)
    #expect(
      archive.entries.map(\.path)
        == ["a.csv", "noise", "b/noise", "empty"].map { folder.file("a.zip/\($0)") })
    #expect(archive.entries.map(\.size) == [5, 300_000, 300_000, 0])
    for (entry, wanted) in zip(archive.entries, [Array("time\n".utf8), Self.noise, Self.noise, []])
    {
      for rest in [false, true] {
        let (bytes, damage) = try read(entry, rest: rest)
        #expect(bytes == wanted && damage == nil, "\(entry.path)")
      }
    }
  }

  @Test("folders and hidden files are no entries, and a name with .. is a name")
  func names() throws {
    let archive = try archive(
      .init("t/", ""), .init(".DS_Store", "x"), .init("t/.git/a.gpx", "x"),
      .init("__MACOSX/t/a.gpx", "x"), .init("../../etc/a.gpx", "x"), .init("./b.gpx", "x"))
    #expect(
      archive.entries.map(\.path)
        == ["../../etc/a.gpx", "./b.gpx"].map { folder.file("a.zip/\($0)") })
    #expect(archive.problems.isEmpty)
  }

  @Test("files that cannot be unpacked are named, and others are read")
  func unreadable() throws {
    var encrypted = ZipText.Entry("secret.gpx", "x")
    encrypted.flags = 1
    var lzma = ZipText.Entry("lzma.gpx", "x")
    lzma.method = 14
    let archive = try archive(encrypted, lzma, lzma, lzma, lzma, .init("a.gpx", "x"))
    #expect(archive.entries.map(\.path) == [folder.file("a.zip/a.gpx")])
    #expect(
      archive.problems == [
        "a file in it is encrypted: secret.gpx; unpack the archive with its password",
        "4 files in it are packed in a way that is not read: lzma.gpx, lzma.gpx, lzma.gpx, …; "
          + "unpack the archive",
      ])
  }

  @Test("a file that would unpack to more than 200 times its size is not read, others are")
  func bomb() throws {
    var bomb = ZipText.Entry("bomb.gpx", "x")
    bomb.claimedSize = 8 << 20 | 1
    var large = ZipText.Entry("large.gpx", "x")
    large.claimedSize = 8 << 20
    let archive = try archive(bomb, large)
    #expect(archive.entries.map(\.path) == [folder.file("a.zip/large.gpx")])
    #expect(
      archive.problems == [
        "a file in it is packed to less than 1/200 of the size, the limit: bomb.gpx; if that is "
          + "intended, unpack the archive"
      ])
  }

  @Test("an archive whose files share their bytes, or are too large together, is not read")
  func sharedBomb() throws {
    let refusal =
      "the archive would unpack to more than 200 times its size, the limit; if that is intended, "
      + "unpack it first"
    var shared = ZipText.Entry("noise", Self.noise)
    shared.sharesData = true
    let overlapping = try archive(.init("noise", Self.noise), shared)
    #expect(overlapping.entries.isEmpty)
    #expect(overlapping.problems == [refusal])
    var large = ZipText.Entry("large.gpx", "x")
    large.claimedSize = 5 << 20
    let many = try archive(large, large)
    #expect(many.entries.isEmpty)
    #expect(many.problems == [refusal])
  }

  @Test("gzip in an archive may unpack to 200 times the bytes of the archive, not of the gzip")
  func gzipBomb() throws {
    // gzip of zeros packs again: 16 MB are 16 kB of gzip, which are some 100 bytes in the archive.
    let zeros = Self.gzip(of: [UInt8](repeating: 0, count: 16 << 20))
    let archive = try archive(.init("zeros.gz", zeros))
    let (bytes, damage) = try read(archive.entries[0], step: 1 << 16)
    #expect(bytes.count >= 8 << 20 && bytes.count < 9 << 20)
    #expect(damage?.hasPrefix("it unpacks to more than 200 times its size") == true)
  }

  private static func gzip(of bytes: [UInt8]) -> [UInt8] {
    let packed = ZipText([.init("a", bytes)]).bytes
    // The data follow the 30 bytes of the record and the name.
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    return header + packed[31...]
  }

  @Test("damaged data are read up to the damage, and a wrong checksum or size is an error")
  func damage() throws {
    let wrong = "its data in the archive is damaged: the checksum or the size is another"
    var checksum = ZipText.Entry("a", "text")
    checksum.checksumError = 1
    var short = ZipText.Entry("a", "text")
    short.claimedSize = 3
    var long = ZipText.Entry("a", "text")
    long.claimedSize = 5
    for (entry, text) in [(checksum, "text"), (short, "tex"), (long, "text")] {
      let (bytes, damage) = try read(try archive(entry).entries[0])
      #expect(bytes == Array(text.utf8))
      #expect(damage == wrong)
    }
    var bytes = ZipText([
      .init(
        "noise",
        Array(repeating: Array("0123456789".utf8), count: 9_000).flatMap(\.self) + Self.noise)
    ]).bytes
    for place in 150_000..<150_100 { bytes[place] = 0xFF }
    try folder.write("a.zip", bytes: bytes)
    let entry = try #require(try ZipArchive(path: folder.file("a.zip")).entries.first)
    let (read, damage) = try read(entry)
    #expect(read.count > 90_000 && read.count <= 390_000)
    #expect(damage?.hasPrefix("its data in the archive is damaged") == true)
  }

  @Test("an archive that is cut anywhere is refused or read, and never more than it has")
  func cuts() throws {
    let whole = ZipText([.init("a.gpx", "text"), .init("b.gpx", "text")]).bytes
    for count in 0..<whole.count {
      try folder.write("a.zip", bytes: Array(whole[..<count]))
      let archive = try ZipArchive(path: folder.file("a.zip"))
      #expect(archive.entries.isEmpty)
      #expect(
        archive.problems == [
          "the archive is damaged, or its end is missing; `zip -FF` may repair it"
        ])
    }
  }

  @Test("an archive is known by its first bytes")
  func recognition() throws {
    try folder.write("a.gpx", bytes: ZipText([.init("a", "x")]).bytes)
    try folder.write("none", bytes: ZipText([]).bytes)
    try folder.write("b.zip", bytes: Array("PK".utf8))
    let names = ["a.gpx", "none", "b.zip", "nosuch", "."]
    #expect(
      names.map { ZipArchive.isArchive(folder.file($0)) } == [true, true, false, false, false])
    #expect(try ZipArchive(path: folder.file("none")).entries.isEmpty)
  }

  @Test("an archive without a file says so, unless it is cut or claims to have some")
  func empty() throws {
    let whole = ZipText([]).bytes
    var claims = whole
    claims[8] = 1
    let comment = Array(whole.dropLast(2)) + [2, 0] + Array("hi".utf8)
    let damaged = "the archive is damaged, or its end is missing; `zip -FF` may repair it"
    let none = "there are no files in the archive"
    for (bytes, problem) in [
      (whole, none), (comment, none), (Array(whole.dropLast()), damaged), (claims, damaged),
    ] {
      try folder.write("a.zip", bytes: bytes)
      let archive = try ZipArchive(path: folder.file("a.zip"))
      #expect(archive.entries.isEmpty)
      #expect(archive.problems == [problem])
    }
  }

  @Test("documents of office programs are known by their entries")
  func office() throws {
    let sheet = "a spreadsheet cannot be read; export its positions as CSV"
    let document = "an office document cannot be read; export its positions as CSV"
    let types = ZipText.Entry("[Content_Types].xml", "<Types/>")
    #expect(try archive(types, .init("xl/workbook.xml", "<x/>")).office == sheet)
    #expect(try archive(types, .init("word/document.xml", "<x/>")).office == document)
    for (kind, wanted) in [("spreadsheet", sheet), ("text", document)] {
      var type = ZipText.Entry("mimetype", "application/vnd.oasis.opendocument.\(kind)")
      type.method = 0
      #expect(try archive(type, .init("content.xml", "<x/>")).office == wanted)
    }
    let others: [ZipText.Entry] = [
      .init("mimetype", "application/epub+zip"), .init("mimetype", ""), .init("a.csv", "time\n"),
      .init("old/[Content_Types].xml", "<Types/>"),
    ]
    for entry in others { #expect(try archive(entry).office == nil, "\(entry.name)") }
  }

  @Test("opening an archive of many files reads each part of its end once")
  func manyEntries() throws {
    // minizip looks through the last 64 KiB, backwards, a kilobyte at a time.
    let entries = (0..<2_000).map { ZipText.Entry("t\($0).csv", "time\n") }
    try folder.write("a.zip", bytes: ZipText(entries).bytes)
    let file = try ZipFile(path: folder.file("a.zip"))
    #expect(file.size > 128 << 10)
    let isOpen = ZipHandle(file) != nil
    #expect(isOpen)
    // Then the end itself is read again, and the start of the directory before it.
    let parts = (64 << 10) / ZipFile.windowSize + 1
    #expect(file.loads <= parts + 3)
  }

  @Test("an archive that was replaced while it was read is an error")
  func replaced() throws {
    let entry = try archive(.init("noise", Self.noise)).entries[0]
    var source = ByteSource(entry)
    var buffer = [UInt8](repeating: 0, count: 1_000)
    guard case .bytes = try source.read(into: &buffer, at: 0) else {
      Issue.record("nothing was read")
      return
    }
    source.rest(step: 1_000)
    try folder.write("other", bytes: ZipText([]).bytes)
    try folder.rename("other", to: "a.zip")
    #expect(
      throws: TraceError.unreadable(
        path: folder.file("a.zip"),
        reason: "it was replaced by another file while it was read")
    ) {
      try source.read(into: &buffer, at: 0)
    }
  }
}
