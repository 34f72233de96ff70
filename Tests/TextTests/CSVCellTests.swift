import Testing
@testable import Text

@Suite("Cells of CSV")
struct CSVCellTests {
  @Test(
    "an apostrophe guards a formula, and is known again",
    arguments: [
      ("=b", "'=b"), ("-x", "'-x"), ("'=b", "''=b"), ("''@", "'''@"), ("\u{FF1D}1", "'\u{FF1D}1"),
      ("=a,b", "\"'=a,b\""), ("b", "b"), ("'b", "'b"), ("'", "'"), ("", ""), ("a=b", "a=b"),
    ])
  func guarded(text: String, cell: String) {
    var bytes: [UInt8] = []
    CSVCell.append(text, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == cell)
    let content = Array(cell.utf8.filter { $0 != UInt8(ascii: "\"") })
    let start = CSVCell.isGuarded(content.span) ? 1 : 0
    #expect(String(decoding: content[start...], as: UTF8.self) == text)
  }
}
