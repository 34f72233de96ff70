internal import Text

extension JSONBuilder {
  mutating func column<Element>(
    _ key: String, _ values: [Element], _ append: (inout ColumnWriter, Element) -> Void
  ) {
    var writer = ColumnWriter()
    for value in values { append(&writer, value) }
    column(key, writer)
  }

  mutating func column(_ key: String, _ writer: ColumnWriter) { data(key, writer.bytes) }

  /// Binary data in base64.
  mutating func data(_ key: String, _ content: some RandomAccessCollection<UInt8>) {
    var text: [UInt8] = []
    Base64.append(content, to: &text)
    self.text(key, String(decoding: text, as: UTF8.self))
  }
}
