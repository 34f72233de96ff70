import Testing
import Text

@testable import Reporting

@Suite("Text of a page")
struct PageTextTests {
  @Test("hashes are those of FIPS 180-4")
  func hashes() {
    // The examples of NIST for messages of one block and of two.
    let examples = [
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ]
    for (message, digest) in examples {
      let hash = SHA256.hash(Array(message.utf8))
      let digits = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      #expect(digits.joined() == digest)
    }
  }

  @Test("base64 is that of RFC 4648")
  func base64() {
    let examples = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foobar": "Zm9vYmFy"]
    for (plain, coded) in examples {
      var text: [UInt8] = []
      Base64.append(Array(plain.utf8), to: &text)
      #expect(String(decoding: text, as: UTF8.self) == coded)
    }
  }

  @Test("columns take a byte for regular times and small steps")
  func columns() {
    var column = ColumnWriter()
    for value: Int64 in [5, 4, 4, 68] { column.append(value) }
    #expect(column.bytes == [10, 1, 0, 0x80, 1])
    var times = ColumnWriter()
    for value: Int64 in [1_000, 2_000, 3_000, 4_001] { times.append(regular: value) }
    #expect(times.bytes == [0xD0, 0x0F, 0, 0, 2])
  }

  @Test("JSON in a page ends no element")
  func markup() {
    var json = JSONBuilder()
    json.object { $0.text("</script>", "<!--\u{2028}\"") }
    let text = String(decoding: json.bytes, as: UTF8.self)
    #expect(!text.contains("<"))
    #expect(text.hasPrefix(#"{"\u003c/script>":"\u003c!--"#))
    #expect(XMLText.escaped("<a & \"b\"\u{1}>") == "&lt;a &amp; &quot;b&quot;\u{FFFD}&gt;")
  }
}
