@testable import GPSD
import TestSupport
import Testing

@Suite("A link that reads lines")
struct LinkLinesTests {
  @Test("delivers only complete lines, unchanged, however the input is split")
  func cuts() {
    let text = LinkBench.report(1) + "\r\n" + LinkBench.report(2) + "# odd\n" + LinkBench.report(3)
    var whole = LinkBench.reporting()
    let expected = whole.say(text)
    #expect(expected.count == 1)
    let bytes = Array(text.utf8)
    for cut in 1..<bytes.count {
      var bench = LinkBench.reporting()
      let outputs = bench.say(Array(bytes[..<cut])) + bench.say(Array(bytes[cut...]))
      #expect(outputs.bytes == expected.bytes && outputs.others == [], "cut at \(cut)")
    }
    var bench = LinkBench.reporting()
    #expect(bytes.flatMap { bench.say([$0]) }.bytes == expected.bytes)
  }

  @Test("keeps the greeting whole however it is split")
  func greetingCuts() {
    let bytes = Array((LinkBench.version + LinkBench.devices + LinkBench.watch).utf8)
    for cut in 1..<bytes.count {
      var bench = LinkBench()
      _ = bench.connect()
      let outputs = bench.say(Array(bytes[..<cut])) + bench.say(Array(bytes[cut...]))
      #expect(outputs.others.last == "connected 3.22", "cut at \(cut)")
    }
  }

  @Test("delivers every byte, also bytes that are not text")
  func binary() {
    var link = LinkBench.reporting().link
    let bytes = (0...255).map { UInt8($0) } + [10]
    link.receive(bytes[...], at: .now)
    #expect(link.next() == .event(.bytes(bytes[...])))
    #expect(link.next() == nil)
  }

  @Test("reads a line of 64 KiB, skips a longer one and reports it once, however it is split")
  func overlong() {
    let limit = Link.longestLine
    let told = "notice skipped a line longer than \(limit) bytes"
    func line(_ count: Int) -> String {
      let frame = #"{"class":"TPV","x":""}"#
      return #"{"class":"TPV","x":""# + String(repeating: "x", count: count - frame.count) + "\"}\n"
    }
    var bench = LinkBench.reporting()
    #expect(bench.say(line(limit)).bytes.utf8.count == limit)
    for (count, piece) in [(limit + 1, 70_000), (100_000, 1_000), (100_000, 65_537), (300_000, 9)] {
      let bytes = Array((LinkBench.report(1) + line(count) + LinkBench.report(2)).utf8)
      var (bench, outputs) = (LinkBench.reporting(), [String]())
      for start in stride(from: 0, to: bytes.count, by: piece) {
        outputs += bench.say(Array(bytes[start..<min(start + piece, bytes.count)]))
        #expect(bench.link.bufferedBytes <= limit + piece)
      }
      #expect(outputs.others == [told], "\(count) bytes in pieces of \(piece)")
      let reports = (LinkBench.report(1) + LinkBench.report(2)).split(separator: "\r\n")
      #expect(outputs.bytes == reports.joined(separator: "|"))
      #expect(outputs.firstIndex(of: told) == 1)
    }
  }

  @Test("drops a line that only recordings have, and reports it")
  func ownLines() {
    let told = "notice dropped a line of class WAYMARK: gpsd sends none, only recordings have them"
    let forged = #"{"class":"WAYMARK","recording":1,"device":"other"}"#
    var bench = LinkBench.reporting()
    let outputs = bench.say(LinkBench.report(1) + forged + "\r\n" + LinkBench.report(2))
    let reports = (LinkBench.report(1) + LinkBench.report(2)).split(separator: "\r\n")
    #expect(outputs.bytes == reports.joined(separator: "|"))
    #expect(outputs.others == [told] && outputs[1] == told)
    // Also without an end.
    #expect(bench.say(forged) == [])
    let end = bench.handle(.closed)
    #expect(end.prefix(3) == ["close", told, "ended"])
    // Such a line is no sign of life of gpsd.
    bench = .reporting()
    let many = bench.say(String(repeating: forged + "\n", count: 2_000))
    #expect(many.bytes == "" && many.last?.hasPrefix("lost ") == true)
  }

  @Test("ends a line when the connection ends inside it")
  func torn() {
    var bench = LinkBench.reporting()
    #expect(bench.say(LinkBench.report(1) + "{\"class\":\"TP").count == 1)
    #expect(
      bench.handle(.broken("reset")).prefix(3) == ["close", "bytes {\"class\":\"TP", "ended"])
    // Of a line that is too long there is nothing to hand out.
    bench = .reporting()
    _ = bench.say(String(repeating: "x", count: 70_000))
    #expect(bench.handle(.closed).bytes == "")
  }

  @Test("closes a connection with only junk, not one with some")
  func junk() {
    let line = String(repeating: "j", count: 999) + "\n"
    var bench = LinkBench.reporting()
    for round in 0..<20 {
      #expect(bench.say(String(repeating: line, count: 60)).others == [], "round \(round)")
      _ = bench.say(LinkBench.report(round))
    }
    let outputs = bench.say(String(repeating: line, count: 100))
    #expect(
      outputs.others == [
        "close", "ended", "lost 66000 bytes received without a report, retry",
      ])
    #expect(outputs.bytes.utf8.count == 66 * 1_000 - 1)
  }

  @Test("closes a connection with an endless line, in bounded memory")
  func endless() {
    var bench = LinkBench.reporting()
    let piece = [UInt8](repeating: 0x7B, count: 1 << 16)
    var outputs: [String] = []
    for _ in 0..<20 where outputs.last?.hasPrefix("lost") != true {
      outputs += bench.say(piece)
      #expect(bench.link.bufferedBytes <= Link.longestLine + piece.count)
    }
    #expect(
      outputs == [
        "notice skipped a line longer than 65536 bytes", "close", "ended",
        "lost 1048576 bytes received without a report, retry",
      ])
  }

  @Test("reports gpsd's errors without control characters")
  func errors() {
    var bench = LinkBench.reporting()
    let error = #"{"class":"ERROR","message":"Unrecognized \u001b[31m request"}"# + "\r\n"
    #expect(
      bench.say(error + LinkBench.report(1)).others == [
        "notice gpsd error: Unrecognized ?[31m request"
      ])
    let long = #"{"class":"ERROR","message":"\#(String(repeating: "x", count: 999))"}"# + "\r\n"
    #expect(bench.say(long).others.first?.count == 219)
  }

  @Test("delivers the same for the same bytes, however they are split")
  func fuzz() {
    for seed in UInt64(1)...30 {
      var random = SeededGenerator(seed: seed)
      let text = Self.noise(&random)
      var whole = LinkBench.reporting()
      let expected = whole.say(text) + whole.handle(.closed)
      var (bench, outputs, start) = (LinkBench.reporting(), [String](), 0)
      while start < text.count {
        let end = min(text.count, start + Int.random(in: 1...5_000, using: &random))
        outputs += bench.say(Array(text[start..<end]))
        start = end
      }
      outputs += bench.handle(.closed)
      #expect(outputs.bytes == expected.bytes, "seed \(seed)")
      #expect(outputs.others == expected.others, "seed \(seed)")
    }
  }

  /// Lines of all kinds, and bytes without order.
  private static func noise(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<40 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes += LinkBench.version.utf8
      case 1: bytes += LinkBench.devices.utf8
      case 2: bytes += #"{"class":"ERROR","message":"no"}"#.utf8 + [10]
      case 3:
        bytes += (0..<Int.random(in: 0..<90, using: &random)).map { _ in
          .random(in: 0...255, using: &random)
        }
      case 4: bytes += [UInt8](repeating: 0x20, count: Int.random(in: 0..<70_000, using: &random))
      case 5: bytes += [0x7B, 0x7D, 0x0D, 0x0A]
      default: bytes += LinkBench.report(bytes.count).utf8
      }
    }
    return bytes
  }
}

@Suite("Classification of a gpsd line")
struct LinkLineTests {
  @Test(
    "uses the class, wherever it is",
    arguments: [
      (#"{"class":"TPV","mode":1}"#, .report), (#"{"class":"SKY"}"#, .report),
      (#"{ "mode" : 1, "class" : "TPV" }"#, .report), (#"{"class":"GST","x":[{"a":[]}]}"#, .report),
      (#"{"class":"DEVICES","devices":[{"class":"DEVICE"}]}"#, .devices(isEmpty: false)),
      (#"{"devices":[{"class":"ERROR"}],"class":"DEVICES"}"#, .devices(isEmpty: false)),
      (#"{"class":"DEVICES","devices":[]}"#, .devices(isEmpty: true)),
      (
        #"{"class":"DEVICES","devices":[{"a":[1]},{"b":{}}],"enable":false}"#,
        .devices(isEmpty: false)
      ),
      (#"{"class":"DEVICE","activated":0}"#, .device),
      (#"{"class":"WATCH","enable":false}"#, .watch(isEnabled: false)),
      (#"{"class":"WATCH"}"#, .watch(isEnabled: true)),
      (#"{"class":"ERROR","message":"no"}"#, .error("no")),
      (#"{"class":"ERROR"}"#, .error("an error without a message")),
      (#"{"class":"WAYMARK","restarted":true}"#, .ownLine),
      (#" {"device":"van","cl\u0061ss":"WAYMARK"}"#, .ownLine),
      (#"{"class":"WAYMARK","class":"TPV"}"#, .ownLine), (#"{"class":"WAYMARK","a"#, .ownLine),
      (#"{"class":"TPV","class":"WAYMARK"}"#, .report), (#"{"class":"waymark"}"#, .report),
      (#"2026-11-22 10:15:00.123456: {"class":"WAYMARK","device":"van"}"#, .ownLine),
      ("{}", .report), ("", .blank), (" \t\r\n", .blank), ("TPV", .junk), ("[1]", .junk),
      (#"{"class":"WATCH","enable":true"#, .junk), (#"{"class":"WATCH",}"#, .junk),
      (#"{"class":"WATCH"} {"class":"WATCH"}"#, .junk), ("{\"class\":\"\u{0}\"}", .junk),
      (#"$GPGGA,1*00"#, .junk),
    ] as [(String, LinkLine)])
  func glance(text: String, line: LinkLine) {
    #expect(LinkLine(Array(text.utf8).span) == line)
    #expect(LinkLine(Array((text + "\r\n").utf8).span) == line)
  }
}
