@testable import Formats
import Testing
@testable import Traces

private func issue(_ text: String, chunk: Int = 1 << 17) -> TraceIssue? {
  let issues = decode(Array(text.utf8), chunk: chunk).issues
  return issues.count == 1 ? issues.first : nil
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

@Test("entity bombs are rejected before they expand")
func refusesBombs() {
  var bomb = "<!DOCTYPE gpx [<!ENTITY a0 \"ha\">"
  for level in 1...30 { bomb += "<!ENTITY a\(level) \"&a\(level - 1);&a\(level - 1);\">" }
  let found = issue(bomb + "]><gpx>&a30;</gpx>")
  #expect(found?.message.contains("a DOCTYPE with an internal subset") == true)
}

@Test("an attribute of 50 MB is refused", arguments: [1 << 17, 1000])
func refusesLongAttribute(chunk: Int) {
  let found = issue("<gpx a='" + spaces(50_000_000) + "'/>", chunk: chunk)
  #expect(found?.message == "a tag is longer than 64 KiB, the limit")
  #expect(found?.line == 1 && found?.column == 1)
}

@Test("200,000 levels are refused at the 65th")
func refusesDepth() {
  let found = issue("<gpx>" + String(repeating: "<a>", count: 200_000))
  #expect(found?.message == "elements are nested deeper than 64, the limit")
  #expect(found?.column == 5 + 63 * 3 + 1)
}

@Test("64 levels are read")
func readsDepth() {
  let inside = String(repeating: "<a>", count: 63) + String(repeating: "</a>", count: 63)
  #expect(decode("<gpx>" + inside + "</gpx>").issues.isEmpty)
}

@Test("65 attributes are refused and 64 are read")
func attributeLimit() {
  let attributes = (1...64).map { " a\($0)=''" }.joined()
  #expect(decode("<gpx\(attributes)/>").issues.isEmpty)
  let found = issue("<gpx\(attributes) b=''/>")
  #expect(found?.message == "a tag has more than 64 attributes, the limit")
}

@Test(
  "a value of more than 64 KiB is refused at the first byte too many", arguments: [1 << 17, 999])
func textLimit(chunk: Int) {
  let start = "<gpx><trk><name>"
  for inside in ["", "<!-- -->", "&amp;"] {
    let found = issue(start + "a" + inside + spaces(1 << 17) + "</name></trk></gpx>", chunk: chunk)
    #expect(found?.message == "a text is longer than 64 KiB, the limit for a value")
    let counted = inside == "&amp;" ? 2 : 1
    #expect(found?.column == start.utf8.count + 1 + inside.utf8.count + (1 << 16) - counted + 1)
  }
}

@Test("text, comments and sections that are not stored may have any length")
func unlimited() {
  let long = spaces(300_000)
  let text = "<gpx><!--\(long)-->\(long)<![CDATA[\(long)]]><?a \(long)?></gpx>"
  #expect(decode(Array(text.utf8), chunk: 4096).issues.isEmpty)
}

@Test("other tokens have limits too")
func otherLimits() {
  let long = String(repeating: "a", count: 70_000)
  #expect(issue("<gpx>&\(long);</gpx>")?.message == "a reference longer than 64 bytes")
  #expect(issue("<gpx><?\(long)?></gpx>")?.message.contains("longer than 1 KiB") == true)
  #expect(issue("<gpx></gpx\(spaces(70_000))>")?.message.contains("64 KiB") == true)
  #expect(issue("<!DOCTYPE gpx SYSTEM '\(long)'><gpx/>")?.message.contains("64 KiB") == true)
}

@Test("a tag that arrives byte by byte is not read again with every byte")
func isNotQuadratic() {
  // Reading it from its start each time would be 2 thousand million steps and a test that hangs.
  let text = "<gpx a='" + spaces(60_000) + "'/>"
  #expect(decode(Array(text.utf8), chunk: 1).issues.isEmpty)
}

@Test(
  "a decompression bomb is rejected within its limit",
  arguments: [
    ("<gpx a='", "x", 64 << 10), ("<gpx><trk><name>", "x", 64 << 10), ("<gpx>", "<a>", 64 * 3),
    ("<!DOCTYPE gpx [<!ENTITY a \"", "x", 100), ("<gpx>&", "x", 64), ("<gpx ", "a1='' ", 64 << 10),
    ("<!DOCTYPE gpx SYSTEM '", "x", 64 << 10), ("<gpx><?", "x", 1 << 10), ("</", "x", 64 << 10),
  ])
func readsNoFurther(start: String, piece: String, limit: Int) {
  var decoder = GPXDecoder()
  var batch = TraceBatch()
  var (rest, given) = ([UInt8](), 0)
  let chunk = 512
  var text = Array(start.utf8)
  while !decoder.isFinished, given < 1 << 20 {
    while text.count < chunk { text += piece.utf8 }
    rest += text.prefix(chunk)
    text.removeFirst(chunk)
    given += chunk
    let used = decoder.decode(rest.span, isFinal: false, into: &batch)
    rest.removeFirst(used)
    #expect(rest.count <= 64 << 10)
  }
  #expect(decoder.isFinished)
  #expect(given <= start.utf8.count + limit + 2 * chunk)
}
