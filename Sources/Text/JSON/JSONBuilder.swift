package import Estimation

/// Writes JSON that can stand in a page: `<` is escaped, so no text ends the element around it.
package struct JSONBuilder {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  package mutating func object(_ body: (inout JSONBuilder) -> Void) { enclose("{", "}", body) }

  package mutating func array<Element>(
    _ key: String, _ elements: some Sequence<Element>,
    _ body: (inout JSONBuilder, Element) -> Void
  ) {
    put(key)
    enclose("[", "]") { json in
      for element in elements { body(&json, element) }
    }
  }

  package mutating func object(_ key: String, _ body: (inout JSONBuilder) -> Void) {
    put(key)
    object(body)
  }

  package mutating func text(_ key: String, _ value: String) {
    put(key)
    append(value)
  }

  package mutating func boolean(_ key: String, _ value: Bool) {
    put(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
    needsComma = true
  }

  package mutating func number(_ key: String, _ value: Int) {
    put(key)
    DecimalText.append(Int64(value), to: &bytes)
    needsComma = true
  }

  package mutating func number(_ key: String, _ value: Double, decimals: Int) {
    put(key)
    DecimalText.append(value, decimals: decimals, to: &bytes)
    needsComma = true
  }

  package mutating func number(_ key: String, ifKnown value: Double?, decimals: Int) {
    if let value, value.isFinite { number(key, value, decimals: decimals) }
  }

  package mutating func time(_ key: String, _ time: Timestamp) {
    var text: [UInt8] = []
    TimeText.append(time, to: &text)
    self.text(key, text.span.string)
  }

  /// A position as [latitude, longitude].
  package mutating func position(_ latitude: Double, _ longitude: Double) {
    enclose("[", "]") { json in
      for degrees in [latitude, longitude] {
        json.separate()
        DecimalText.append(degrees, decimals: 7, to: &json.bytes)
        json.needsComma = true
      }
    }
  }

  /// A list without a key.
  package mutating func list<Element>(
    _ elements: some Sequence<Element>, _ body: (inout JSONBuilder, Element) -> Void
  ) {
    enclose("[", "]") { json in
      for element in elements { body(&json, element) }
    }
  }

  /// A text of a list.
  package mutating func element(_ text: String) {
    separate()
    append(text)
  }

  /// JSON that another writer made.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    for byte in json {
      if byte == UInt8(ascii: "<") {
        bytes.append(contentsOf: "\\u003c".utf8)
      } else {
        bytes.append(byte)
      }
    }
    needsComma = true
  }

  private mutating func append(_ text: String) {
    var value: [UInt8] = []
    JSONText.append(text, to: &value)
    needsComma = false
    raw(value)
  }

  private mutating func put(_ key: String) {
    separate()
    append(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func enclose(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONBuilder) -> Void
  ) {
    separate()
    bytes.append(UInt8(ascii: open))
    body(&self)
    bytes.append(UInt8(ascii: close))
    needsComma = true
  }
}
