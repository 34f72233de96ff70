internal import Text

/// A JSON object, written member by member; a value that is nil is left out.
struct JSONObject {
  private var bytes: [UInt8] = []

  mutating func put(_ key: String, _ text: String?) {
    guard let text else { return }
    put(key: key)
    JSONText.append(text, to: &bytes)
  }

  mutating func put(_ key: String, _ number: Int64?) {
    guard let number else { return }
    put(key: key)
    DecimalText.append(number, to: &bytes)
  }

  mutating func put(_ key: String, _ number: Double?, decimals: Int) {
    guard let number, number.isFinite else { return }
    put(key: key)
    DecimalText.append(number, decimals: decimals, to: &bytes)
  }

  mutating func put(_ key: String, _ object: JSONObject) {
    put(key: key)
    bytes += object.text.utf8
  }

  mutating func put(_ key: String, _ texts: [String]) {
    put(key: key)
    putArray(texts) { JSONText.append($0, to: &$1) }
  }

  mutating func put(_ key: String, _ objects: [JSONObject]) {
    put(key: key)
    putArray(objects) { $1 += $0.text.utf8 }
  }

  /// The members of another object.
  ///
  /// - Parameter json: Its text, with at least one member.
  mutating func put(membersOf json: String) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    bytes += json.utf8.dropFirst().dropLast()
  }

  /// The object with its braces.
  var text: String { "{" + bytes.span.string + "}" }

  private mutating func put(key: String) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    JSONText.append(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func putArray<Element>(
    _ elements: [Element], _ write: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
