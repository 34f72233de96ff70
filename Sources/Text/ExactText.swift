/// A text that equals only one with the same bytes, such as the name of a device.
///
/// Strings of Swift are equal when Unicode calls them equivalent: é as one scalar, and as e with an accent.
/// For a file system, a database and `DeviceTable` these are two names, so they are two for everything
/// that keeps a state by name.
package struct ExactText: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: ExactText, b: ExactText) -> Bool {
    var (a, b) = (a.text, b.text)
    return a.withUTF8 { a in b.withUTF8 { b in a.count == b.count && a.elementsEqual(b) } }
  }

  /// In the order of the bytes, which is that of the scalars.
  package static func < (a: ExactText, b: ExactText) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  /// Where a name is that a person gave: the very one, else the first that Unicode calls equal.
  ///
  /// A keyboard gives é as one scalar, and a file of macOS has two.
  package static func firstIndex<Names: Collection<String>>(
    of name: String, in names: Names
  ) -> Names.Index? {
    let exact = ExactText(name)
    return names.firstIndex { ExactText($0) == exact } ?? names.firstIndex(of: name)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No text is the beginning of another one.
    hasher.combine(0xFF as UInt8)
  }
}
