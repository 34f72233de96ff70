import TestSupport
import Testing

@testable import Serving

private func pieces(_ text: String, cut: Int? = nil) -> [RequestReader.Result] {
  var reader = RequestReader()
  var found: [RequestReader.Result] = []
  let bytes = Array(text.utf8)
  for part in [bytes[..<(cut ?? 0)], bytes[(cut ?? 0)...]] {
    reader.take(part)
    while let piece = reader.next() {
      found.append(piece)
      if piece == .oversized { return found }
    }
  }
  return found
}

private func request(_ text: String) -> GPSDRequest? {
  guard case .request(let request)? = pieces(text).first else { return nil }
  return request
}

@Suite("Requests of a client")
struct RequestTests {
  @Test(
    "are parsed",
    arguments: [
      ("?VERSION;", .version), ("?DEVICES;", .devices), ("?POLL;", .poll), (" ?POLL ; ", .poll),
      ("?DEVICE;", .device(path: nil)), ("?POLL\n", .poll), ("?POLL;\r\n", .poll),
      (#"?DEVICE={"path":"replay://van","bps":4800};"#, .device(path: "replay://van")),
      (#"?DEVICE={"bps":4800};"#, .device(path: nil)), ("?WATCH;", .watch(nil)),
      ("?WATCH={};", .watch(PolicyChange())),
      (#"?WATCH={"enable":true,"json":true};"#, .watch(PolicyChange(json: true))),
      (
        // As gps_stream of libgps 3.22 writes it.
        #"?WATCH={"enable":true,"json":true,"nmea":false,"raw":1,"scaled":true,"timing":true,"#
          + #""split24":true,"pps":true,"device":"/dev/ttyUSB0"};"#,
        .watch(
          PolicyChange(
            json: true, nmea: false, raw: 1, scaled: true, timing: true, split24: true, pps: true,
            device: "/dev/ttyUSB0"))
      ),
      (#"?WATCH = { "enable" : false } ;"#, .watch(PolicyChange(enable: false))),
      (
        #"?WATCH={"device":"a;b\"c","remote":{"x":[1,2]}};"#, .watch(PolicyChange(device: "a;b\"c"))
      ),
    ] as [(String, GPSDRequest)])
  func known(text: String, expected: GPSDRequest) {
    #expect(pieces(text) == [.request(expected)])
  }

  @Test(
    "that are invalid get an error with the reason",
    arguments: [
      ("?FOO;", "Unrecognized request '?FOO'"), ("hello;", "Unrecognized request 'hello'"),
      ("?watch;", "Unrecognized request '?watch'"), ("?;", "Unrecognized request '?'"),
      ("GET / HTTP/1.1\r\n", "Unrecognized request 'GET / HTTP/1.1'"),
      ("?WATCH={\"json\":1};", "Invalid WATCH: json is a number, expected true or false"),
      ("?WATCH={\"raw\":7};", "Invalid WATCH: raw is a number, expected 0, 1 or 2"),
      ("?WATCH={\"raw\":1e400};", "Invalid WATCH: raw is a number, expected 0, 1 or 2"),
      ("?WATCH={\"device\":null};", "Invalid WATCH: device is null, expected text in quotes"),
      ("?WATCH=true;", "Invalid WATCH: expected an object in braces"),
      ("?WATCH={\"json\":true}};", "Invalid WATCH: found \"}\", expected the end of the text"),
      ("?DEVICE={\"path\":[1]};", "Invalid DEVICE: path is an array, expected text in quotes"),
    ])
  func invalid(text: String, message: String) {
    #expect(pieces(text) == [.request(.invalid(message))])
  }

  @Test("that are cut short get an error")
  func unfinished() throws {
    for text in ["?WATCH={\"json\":;", "?WATCH=;", "?WATCH={\"json\":true\n", "?DEVICE={;"] {
      guard case .invalid(let message)? = request(text) else {
        Issue.record("\(text) was taken")
        continue
      }
      #expect(message.hasPrefix("Invalid "))
    }
  }

  @Test("in one packet are all answered, and blanks between them are skipped")
  func several() {
    let text = "?VERSION;\n?POLL;?DEVICES;\r\n;; \n?FOO;"
    #expect(
      pieces(text) == [
        .request(.version), .request(.poll), .request(.devices),
        .request(.invalid("Unrecognized request '?FOO'")),
      ])
  }

  @Test("do not depend on packet boundaries")
  func cuts() {
    let text =
      #"?WATCH={"enable":true,"device":"a\";b","json":true};"#
      + "\n?PO\u{e9}L;?POLL;junk\n?VERSION;"
    let whole = pieces(text)
    #expect(whole.count == 5)
    for cut in 0...text.utf8.count { #expect(pieces(text, cut: cut) == whole, "cut at \(cut)") }
  }

  @Test("that are too long end the connection, in one packet or many")
  func endless() {
    let long = String(repeating: "x", count: RequestReader.longest)
    #expect(pieces(long + ";").count == 1)
    #expect(pieces(long + "x;") == [.oversized])
    #expect(pieces("?POLL;\"" + long + long) == [.request(.poll), .oversized])
    var reader = RequestReader()
    for _ in 0..<RequestReader.longest {
      reader.take([0x41])
      #expect(reader.next() == nil)
    }
    reader.take([0x41])
    #expect(reader.next() == .oversized)
  }

  @Test("may be any bytes")
  func anything() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("?WATCH={\"enable\":true,};\n\\x\u{0}\u{ff}[]".utf8)
    for _ in 0..<300 {
      var reader = RequestReader()
      var taken = 0
      for _ in 0..<20 {
        let count = Int.random(in: 0...40, using: &random)
        reader.take((0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 })
        while reader.next() != nil { taken += 1 }
      }
      reader.take("\n?POLL;".utf8)
      var last: RequestReader.Result?
      while let piece = reader.next() { last = piece }
      #expect(last == .request(.poll), "seed \(seed), after \(taken) requests")
    }
  }
}
