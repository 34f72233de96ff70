@testable import Settings
import Testing

@Suite("Text that is not a config is rejected with its place")
struct ConfigurationSyntaxTests {
  @Test(
    "YAML syntax errors have our messages",
    arguments: [
      ("", "1:1: found nothing in the file, expected a config with keys such as fences and source"),
      (
        "# only a comment\n",
        "1:1: found nothing in the file, expected a config with keys such as fences and source"
      ),
      (
        "---\n",
        "1:1: found nothing in the file, expected a config with keys such as fences and source"
      ),
      (
        "[1, 2]",
        "1:1: found a list, expected keys such as fences and source, each with a value"
      ),
      (
        "just text",
        "1:1: found 'just text', expected keys such as fences and source, each with a value"
      ),
      (
        "device:\n\tx: 1\n",
        "2:1: found a tab, expected spaces, the only indentation that YAML takes"
      ),
      (
        "\tdevice: van\n", "1:1: found a tab, expected spaces, the only indentation that YAML takes"
      ),
      ("device: |\n\tx", "2:1: found a tab, expected spaces, the only indentation that YAML takes"),
      (
        "device: [1\n",
        "2:1: found neither ',' nor ']', expected the list that opens at line 1, column 9 "
          + "to go on or to close"
      ),
      (
        "device: {a: 1\nsource: x",
        "2:7: found neither ',' nor '}', expected the mapping that opens at line 1, column 9 "
          + "to go on or to close"
      ),
      (
        "device: \"van\nsource: x\n",
        "3:1: found the end of the file, expected the quote that opens at line 1, column 9 to close"
      ),
      (
        "device: a: b\n",
        "1:10: found a ':' where no key can be, expected one 'key: value' a line, indented like "
          + "its neighbours, and quotes around text with ': '"
      ),
      (
        "fences:\n  - id: a\n - id: b\n",
        "3:2: found text that does not fit, expected a key indented like the first at line 1, "
          + "column 1"
      ),
      (
        "- a\nb: c\n",
        "2:1: found text that does not fit, expected an item indented like the first '- ' at "
          + "line 1, column 1"
      ),
      (
        "device: @home\n",
        "1:9: found '@', expected a value, and quotes around text that begins with '@'"
      ),
      ("device: van\nsource\n", "2:1: found text without a ':', expected 'key: value'"),
      ("device: *x\n", "1:9: found an alias without its anchor, expected &name before *name"),
      ("a: &a [*a]", "1:8: found an alias without its anchor, expected &name before *name"),
      ("device: a\n---\ndevice: b\n", "2:1: found a second document, expected one document a file"),
      (
        "{\"device\": \"a\"} x",
        "1:17: found more text after the end of the config, expected nothing more"
      ),
      (
        "device: \"\\q\"",
        "1:10: found a YAML error (found unknown escape character), expected valid YAML"
      ),
      (
        "%FOO\n", "1:5: found a YAML error (found unknown directive name), expected valid YAML"
      ),
      ("é: \u{7}x", "1:4: found a control character, expected UTF-8 text"),
      ("é: \u{80}x", "1:4: found a control character, expected UTF-8 text"),
      ("a: x\u{FFFF}", "1:5: found a control character, expected UTF-8 text"),
      (
        "{\"type\": \"FeatureCollection\", \"features\": []}",
        "1:1: found GeoJSON, expected a config; name this file in one: "
          + "fences: [{include: w.yaml}]"
      ),
    ])
  func brokenText(text: String, message: String) {
    #expect(complaint(text) == "w.yaml:\(message)")
  }

  @Test(
    "a repeated key is reported at its second place",
    arguments: [
      ("device: a\nsource: gpsd://h\ndevice: b\n", "3:1", "device", 1),
      (
        "{\"device\": \"a\",\n \"fences\": [{\"device\": 1}],  \"device\": \"b\"}", "2:30",
        "device", 1
      ),
      ("fences:\n  - id: a\n    radius: 1 # id: c\n    \"id\": b\n", "4:5", "id", 2),
      ("fences:\n- {id: a, polygon: [[id]],\n id: b}\n", "3:2", "id", 2),
      ("device: \"a\n device: b\"\nsource: x\ndevice : d\n", "4:1", "device", 1),
    ])
  func repeatedKey(text: String, place: String, key: String, first: Int) {
    #expect(
      complaint(text)
        == "w.yaml:\(place): found the key '\(key)' a second time, "
        + "expected it once (first used on line \(first))")
  }

  @Test("bytes that are not UTF-8 are rejected with their place")
  func notUTF8() {
    let bytes = Array("device: van\nsource: ".utf8) + [0xFF, 0xFE]
    #expect {
      _ = try Configuration(bytes, file: "w.yaml", load: ConfigurationFile.read)
    } throws: {
      "\($0)" == "w.yaml:2:9: found bytes that are not UTF-8 text, expected UTF-8 text"
    }
  }

  @Test("a byte order mark, CRLF and tabs before JSON are accepted")
  func harmlessBytes() throws {
    #expect(try configuration("\u{FEFF}device: van\r\n").device == "van")
    #expect(try configuration("\n\t\t{\"device\":\n\t\t\"van\"}").device == "van")
  }

  @Test("escapes in JSON have their JSON meaning")
  func escapes() throws {
    #expect(
      try configuration(#"{"device": "\ud83d\ude00 \u00e9\t\/\\ud83d\\ude00"}"#).device
        == "😀 é\t/\\ud83d\\ude00")
    #expect(complaint(#"{"device": "\ud83d"}"#).contains("invalid Unicode character escape code"))
  }

  @Test("deeply nested lists are rejected", arguments: ["[", "{a: ", "- "])
  func deepNesting(opening: String) {
    let message = complaint(String(repeating: opening, count: 100_000))
    #expect(
      message.hasSuffix(
        "found lists nested a thousand deep, expected at most the five levels of holes in a polygon"
      ))
  }

  @Test("a list or an alias as a key is rejected before Yams expands it")
  func keysThatExpand() {
    let refusal = "found a key that is a list, a mapping or an alias, expected plain words as keys"
    #expect(complaint("a: &a [1]\n? *a\n: 2") == "w.yaml:2:1: \(refusal)")
    #expect(complaint("a: &a [1]\nb: {*a : 2}") == "w.yaml:2:5: \(refusal)")
    #expect(complaint("a: &a [1]\nb: {[*a]: 2}") == "w.yaml:2:8: \(refusal)")
    #expect(complaint("a: &a [1]\nb: {?*a }") == "w.yaml:2:5: \(refusal)")
  }

  @Test("the expansion of aliases of aliases is bounded")
  func aliasBomb() {
    let bomb = """
      fences:
      - {id: a, polygon: &c [\(list("&p [0, 0]", 1)), \(list("*p", 500))], holes: [\(list("*c", 500))]}
      """
    #expect(complaint(bomb).contains("aliases that expand to more than the file could hold"))
  }

  private func list(_ item: String, _ count: Int) -> String {
    Array(repeating: item, count: count).joined(separator: ", ")
  }

  @Test("a hundred problems are listed, the rest counted")
  func manyFaults() {
    let text = (0..<150).map { "unknown-thing-\($0): 1\n" }.joined()
    let lines = complaint(text).split(separator: "\n")
    #expect(lines.count == 101)
    #expect(lines.last == "and 50 more errors")
  }
}
