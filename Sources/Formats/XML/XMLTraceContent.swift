internal import Text
import Traces

/// What an XML format means: a decoder of it is ``XMLTraceDecoder`` with this.
protocol XMLTraceContent: Sendable {
  /// An element in its context.
  associatedtype Element: XMLTraceElement

  /// The root element.
  static var root: (name: String, element: Element) { get }

  init()

  /// The producer that the document names, as far as it was read.
  var producer: String? { get }

  /// The meaning of the element `name` inside of `parent`.
  static func element(_ name: ShortName, in parent: Element) -> Element

  /// An element begins.
  ///
  /// - Parameters:
  ///   - name: Its attribute `name`.
  ///   - line: The line of its tag.
  mutating func begin(_ element: Element, name: String?, line: Int, into batch: inout TraceBatch)

  /// An element with a text ends; returns what its text should have been when it is not valid.
  mutating func read(
    _ element: Element, _ text: borrowing Span<UInt8>, into batch: inout TraceBatch
  ) -> String?

  /// What is wrong when the text of an element is not valid.
  static func code(ofText element: Element) -> IssueCode

  /// Reads a piece of the text of an element whose text is streamed.
  ///
  /// - Returns: the number of bytes read; what is left is passed again with what follows it.
  mutating func readPiece(
    _ element: Element, _ text: borrowing Span<UInt8>, into batch: inout TraceBatch
  ) -> Int

  /// An element ends.
  ///
  /// - Returns: what is wrong with its contents, if anything is.
  mutating func end(_ element: Element, into batch: inout TraceBatch) -> String?
}

extension XMLTraceContent {
  /// Nothing is streamed.
  mutating func readPiece(
    _ element: Element, _ text: borrowing Span<UInt8>, into batch: inout TraceBatch
  ) -> Int { 0 }
}

/// An element of an XML format.
protocol XMLTraceElement: Sendable {
  /// How the text of the element is read.
  var text: XMLTraceText { get }
}

/// How the text of an element is read.
enum XMLTraceText: Sendable {
  /// It has none that is read.
  case none
  /// At its end, at most ``XMLScanner/tokenLimit`` bytes.
  case whole
  /// Piece by piece, so it may have any length.
  case streamed
}
