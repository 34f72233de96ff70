import TestSupport
import Testing
@testable import Text

/// Takes all tokens of a text.
private func tokens(_ bytes: [UInt8]) throws(JSONError) -> [JSONToken] {
  var scanner = JSONScanner()
  var tokens: [JSONToken] = []
  while let token = try scanner.next(in: bytes.span) { tokens.append(token) }
  return tokens
}

private func error(of bytes: [UInt8]) -> JSONError? {
  do throws(JSONError) {
    _ = try tokens(bytes)
    return nil
  } catch { return error }
}

@Suite struct JSONScannerTests {
  @Test(
    "everything that RFC 8259 allows is read",
    arguments: [
      "0", "-0", "1.5", "-1.5e+10", "1E5", "1e-5", "\"\"", "true", "false", "null", "[]", "{}",
      " [ ] ",
      "[[],{}]", #"{"a":1}"#, #"{"a":1,"a":2}"#, #"{"":{"b":[1,2,{"c":null}]}}"#, "\t\r\n1 \n",
      #""\" \\ \/ \b \f \n \r \t é \uD83D\uDE9A""#, "\"caf\u{E9} 🚚 \u{7F}\"", "\"\u{2028}\"",
    ])
  func accepts(text: String) {
    #expect(error(of: Array(text.utf8)) == nil)
  }

  @Test(
    "violations of RFC 8259 are rejected at their position",
    arguments: [
      ("01", 0), ("-01", 0), ("+1", 0), (".5", 0), ("1.e", 2), ("1.x", 2), ("1ex", 2), ("-x", 1),
      ("0x1", 1),
      ("NaN", 0), ("Infinity", 0), ("True", 0), ("nul1", 0), ("truefalse", 4), ("1 2", 2),
      ("[1,]", 3),
      ("[,1]", 1), ("[1 2]", 3), ("[1}", 2), ("{]", 1), (#"{"a"}"#, 4), (#"{"a":}"#, 5),
      (#"{"a":1,}"#, 7),
      (#"{a:1}"#, 1), (#"{'a':1}"#, 1), (#"{"a":1 "b":2}"#, 7), ("]", 0), ("}", 0), ("/* */1", 0),
      ("\"\n\"", 1), ("\"\u{1F}\"", 1), (#""\x""#, 1), (#""\u12G4""#, 5), (#""\uDC00""#, 1),
      (#""\uD800""#, 1), (#""\uD800x""#, 1), (#""\uD800\n""#, 1), (#""\uD800\u0041""#, 1),
      ("{} {}", 3), ("\u{FEFF}1", 0),
    ])
  func refuses(text: String, offset: Int) {
    let found = error(of: Array(text.utf8))
    #expect(found?.offset == offset, "\(found?.message ?? "accepted")")
    #expect(found?.isCutShort == false)
  }

  @Test(
    "half of a surrogate pair is U+FFFD to a stream, and its first place is known",
    arguments: [
      (#"["ab\uD800"]"#, 4, "ab\u{FFFD}"), (#"["\uDC00b"]"#, 2, "\u{FFFD}b"),
      (#"["\uD800\n"]"#, 2, "\u{FFFD}\n"), (#"["\uD800\u0041"]"#, 2, "\u{FFFD}A"),
      (#"["\uD83D\uD83D\uDE9A\uDE9A"]"#, 2, "\u{FFFD}🚚\u{FFFD}"),
    ])
  func halfPairs(text: String, offset: Int, expected: String) throws {
    let bytes = Array(text.utf8)
    // A stream that gets more bytes each time, as from a pipe.
    for end in [bytes.count] + Array(2..<bytes.count) {
      var stream = JSONStream()
      #expect(try stream.next(bytes.span, isFinal: true) == .beginArray)
      var token = try stream.next(bytes.span.extracting(0..<end), isFinal: false)
      if token == nil { token = try stream.next(bytes.span, isFinal: true) }
      guard case .string(let slice) = token else {
        Issue.record("no string at \(end)")
        return
      }
      #expect(slice.string(in: bytes.span) == expected)
      let fault = stream.takeFault()
      #expect(fault?.offset == offset && stream.takeFault() == nil)
      #expect(
        fault?.message == "found half of a surrogate pair, expected both halves as \\u escapes; "
          + "it is read as U+FFFD")
      #expect(try stream.next(bytes.span, isFinal: true) == .endArray)
    }
  }

  @Test("invalid UTF-8 is rejected at its position")
  func notUTF8() {
    let long: [UInt8] = [0xC0, 0xAF]
    for bad in [[0xFF], [0xC3], long, [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]] {
      let found = error(of: Array("[\"ab".utf8) + bad + Array("\"]".utf8))
      #expect(found?.offset == 4)
      // It may come from a receiver, not from a file.
      #expect(found?.message == "found bytes that are not UTF-8 in a text, expected UTF-8")
    }
  }

  @Test("a text cut anywhere is known to be cut short")
  func cutShort() {
    let text = Array(#"  {"a":[-1.5e+3,true,null,"x\u00e9\n\uD83D\uDE9A"],"b":{}}"#.utf8)
    for end in 0..<text.count {
      let found = error(of: Array(text[..<end]))
      #expect(found?.isCutShort == true, "at \(end): \(found?.message ?? "accepted")")
    }
    #expect(error(of: text) == nil)
  }

  @Test("64 levels are read, 65 are refused, however long the rest is")
  func depth() {
    func nested(_ levels: Int) -> [UInt8] {
      Array(String(repeating: "[", count: levels).utf8)
        + Array(String(repeating: "]", count: levels).utf8)
    }
    #expect(error(of: nested(64)) == nil)
    #expect(error(of: nested(65))?.message.contains("64") == true)
    #expect(error(of: nested(1_000_000))?.offset == 64)
  }

  @Test("objects and arrays close what was opened, on every level")
  func levels() throws {
    let text = #"[{"a":[{"b":[]}]},[[{}]]]"#
    var open: [JSONToken] = []
    for token in try tokens(Array(text.utf8)) {
      switch token {
      case .beginArray, .beginObject: open.append(token)
      case .endArray: #expect(open.popLast() == .beginArray)
      case .endObject: #expect(open.popLast() == .beginObject)
      default: break
      }
    }
    #expect(open.isEmpty)
  }

  @Test(
    "escapes in strings are decoded",
    arguments: [
      (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"),
      (#""\u00e9\uD83D\uDE9A\u0000""#, "é🚚\u{0}"),
      (#""caf\u00E9""#, "café"), (#""plain""#, "plain"),
    ])
  func strings(text: String, expected: String) throws {
    let bytes = Array(text.utf8)
    guard case .string(let slice) = try tokens(bytes).first else {
      Issue.record("no string")
      return
    }
    #expect(slice.string(in: bytes.span) == expected)
  }

  @Test("keys are compared by meaning")
  func keys() throws {
    let bytes = Array(#"{"t\u0079pe":1,"type":2,"typ":3}"#.utf8)
    var scanner = JSONScanner()
    _ = try scanner.next(in: bytes.span)
    var found: [Bool] = []
    while let key = try scanner.nextKey(in: bytes.span) {
      found.append(key.equals("type", in: bytes.span))
      try scanner.skipValue(in: bytes.span)
    }
    #expect(found == [true, true, false])
    #expect(try scanner.next(in: bytes.span) == nil)
  }

  @Test("a number too large for a Double is nil")
  func hugeNumber() throws {
    let bytes = Array("1e999".utf8)
    guard case .number(let slice) = try tokens(bytes).first else { return }
    #expect(slice.number(in: bytes.span) == nil)
  }

  @Test("skipped values are checked all the same")
  func skipping() throws {
    let good = Array(#"{"skip":{"deep":[1,{"x":"]}"}]},"next":7}"#.utf8)
    var scanner = JSONScanner()
    _ = try scanner.next(in: good.span)
    _ = try scanner.nextKey(in: good.span)
    try scanner.skipValue(in: good.span)
    let key = try scanner.nextKey(in: good.span)
    #expect(key?.equals("next", in: good.span) == true)
    let bad = Array(#"[[1,{"x":01}]]"#.utf8)
    var other = JSONScanner()
    #expect(throws: JSONError.self) { try other.skipValue(in: bad.span) }
  }

  @Test("a scanner that is misused throws and does not trap")
  func misuse() throws {
    let bytes = Array(#"[1]"#.utf8)
    var scanner = JSONScanner()
    #expect(throws: JSONError.self) { _ = try scanner.nextKey(in: bytes.span) }
    let empty: [UInt8] = []
    #expect(throws: JSONError.self) { _ = try scanner.nextValue(in: empty.span) }
    var done = JSONScanner(at: 99)
    #expect(throws: JSONError.self) { _ = try done.next(in: bytes.span) }
  }

  @Test("random bytes never trap")
  func fuzz() {
    var generator = SeededGenerator(seed: 3)
    let alphabet = Array(#"{}[]",:\u0123DdE8.-+etrufalsn "#.utf8) + [0xC3, 0xA9, 0xFF, 0]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...24, using: &generator)
      let bytes = (0..<count).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      if let error = error(of: bytes) {
        #expect(error.offset >= 0 && error.offset <= bytes.count)
        _ = JSONPosition(of: error.offset, in: bytes.span)
      }
    }
  }

  @Test(
    "a position has line, column and path",
    arguments: [
      ("X", "1:1 "), (#"{"a":X}"#, "1:6 a"), ("{\"a\":\n [1, {\"b\": X}]}", "2:12 a[1].b"),
      ("[[1,2],[3,X]]", "1:11 [1][1]"),
    ])
  func places(text: String, expected: String) throws {
    let bytes = Array(text.utf8)
    let offset = try #require(bytes.firstIndex(of: UInt8(ascii: "X")))
    let valid = bytes.map { $0 == UInt8(ascii: "X") ? UInt8(ascii: "0") : $0 }
    let place = JSONPosition(of: offset, in: valid.span)
    #expect("\(place.line):\(place.column) \(place.path)" == expected)
  }
}
