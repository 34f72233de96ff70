import Traces

extension DeviceTable {
  /// The index of the device of a name in XML; nil for an empty one.
  mutating func index(
    ofName text: borrowing Span<UInt8>, in names: inout [String]
  ) -> Int32? {
    guard let name = GPXText.name(text) else { return nil }
    let bytes = Array(name.utf8)
    return index(of: bytes.span, in: &names)
  }
}
