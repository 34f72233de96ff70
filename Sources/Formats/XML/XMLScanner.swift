internal import Text

/// A streaming scanner of XML 1.0: checks that it is well formed and returns its elements.
///
/// It is made for traces: it returns names, attributes and the text of chosen elements, builds no
/// tree and fetches nothing. It keeps no bytes except the names of open elements and the text being
/// collected. Every limit is a named constant, so its memory is bounded.
struct XMLScanner: Sendable {
  /// The next item.
  enum Token {
    /// A start tag, described by ``name``, ``attributes`` and ``tag``. An empty element also ends.
    case start
    /// The end of an element; ``tag`` is where its end tag is.
    case end
    /// The bytes are consumed as far as ``position``.
    case more
    /// The document is complete.
    case done
    /// The bytes ended inside the document.
    case truncated
    /// The document is not well formed, or exceeds a limit: see ``syntaxError``.
    case failed
  }

  /// Why reading stopped, and at which offset.
  struct SyntaxError: Sendable {
    var offset: Int
    var message: String
    var code: IssueCode
  }

  struct Attribute: Sendable {
    var name: Range<Int>
    var local: Range<Int>
    var value: Range<Int>
    var hasReferences = false
  }

  /// The most nested elements.
  static let depthLimit = 64
  /// The most attributes of a tag.
  static let attributeLimit = 64
  /// The longest tag, document type and collected text, in bytes.
  static let tokenLimit = 64 << 10
  /// The longest target of a processing instruction, in bytes.
  static let targetLimit = 1 << 10
  /// The longest reference (`&…;`), in bytes.
  static let referenceLimit = 64

  /// The context at ``position``.
  enum Place: Sendable { case markup, comment, instruction, characterData }

  /// The offset of the next byte to read.
  var position = 0
  var place = Place.markup
  var lines = LineCounter()
  private(set) var tag = 0
  /// The element's name without its prefix, after a ``Token/start``.
  var name = 0..<0
  var attributes: [Attribute] = []
  var syntaxError: SyntaxError?
  var open = OpenElements()
  var text = CollectedText()
  /// The local part of the last name begins here, after its prefix.
  var localStart = 0
  /// Whether nothing follows the current bytes.
  var isFinal = false
  var isPastMark = false
  /// Whether nothing has been read, so an XML declaration may follow.
  var isAtStart = true
  /// Whether only white space has been read.
  var isAfterSpace = false
  /// Whether white space came before the XML declaration, which XML does not allow.
  var hasLateDeclaration = false
  var hasRoot = false
  var hasDoctype = false
  /// The root element that the document type names, also one that is refused.
  var doctypeName: Range<Int>?
  /// The progress of the search for the end of an incomplete tag.
  var search = TagSearch()
  /// Whether the declared encoding is that of bytes that were converted since.
  let isConverted: Bool
  private var endsAtOnce = false

  init(isConverted: Bool) { self.isConverted = isConverted }

  /// The next token of `bytes`, which begin where ``position`` was 0.
  mutating func next(_ bytes: borrowing Span<UInt8>, isFinal: Bool) -> Token {
    self.isFinal = isFinal
    if endsAtOnce {
      endsAtOnce = false
      open.pop()
      return .end
    }
    while true {
      let outcome: Outcome
      if place != .markup {
        outcome = skipMarkup(bytes)
      } else if open.depth > 0 {
        outcome = content(bytes)
      } else {
        outcome = outside(bytes)
      }
      switch outcome {
      case .goOn: continue
      case .start: return .start
      case .empty:
        endsAtOnce = true
        return .start
      case .end: return .end
      case .incomplete: return stop(bytes)
      case .failed: return .failed
      }
    }
  }

  /// Discards the bytes before ``position`` and returns their number.
  mutating func use(_ bytes: borrowing Span<UInt8>) -> Int {
    let count = position
    lines.use(count, bytes)
    position = 0
    return count
  }

  /// The note for the user when ``hasLateDeclaration``.
  static let lateDeclaration =
    "white space before the XML declaration, which XML does not allow, is skipped"

  /// The result of one step.
  enum Outcome { case goOn, start, empty, end, incomplete, failed }

  /// Ends reading with an error.
  mutating func fail(_ offset: Int, _ message: String, code: IssueCode = .syntax) -> Outcome {
    syntaxError = SyntaxError(offset: offset, message: message, code: code)
    return .failed
  }

  /// Stops at ``position``, where the bytes end.
  private mutating func stop(_ bytes: borrowing Span<UInt8>) -> Token {
    if let excess = text.save(bytes) {
      _ = failTooLongText(excess)
      return .failed
    }
    guard isFinal else { return .more }
    let isWhole = position == bytes.count && hasRoot && open.depth == 0 && place == .markup
    if isWhole { return .done }
    position = bytes.count
    return .truncated
  }

  mutating func failTooLongText(_ offset: Int) -> Outcome {
    fail(
      offset, "a text is longer than \(Self.tokenLimit >> 10) KiB, the limit for a value",
      code: .tooLong)
  }

  /// Text and markup inside the root element.
  private mutating func content(_ bytes: borrowing Span<UInt8>) -> Outcome {
    let stop = characters(bytes)
    guard stop == .goOn else { return stop }
    let at = position
    guard at &+ 1 < bytes.count else { return .incomplete }
    tag = at
    switch bytes[at &+ 1] {
    case 0x2F: return endTag(bytes)
    case 0x21, 0x3F: return declaration(bytes)
    default: return startTag(bytes)
    }
  }

  /// What is allowed before and after the root element.
  private mutating func outside(_ bytes: borrowing Span<UInt8>) -> Outcome {
    if !isPastMark {
      guard let mark = Self.byteOrderMark(bytes) else { return .incomplete }
      position = mark
      lines.skipMark(mark)
      isPastMark = true
    }
    while position < bytes.count, isXMLSpace(bytes[position]) {
      position += 1
      isAfterSpace = isAtStart
    }
    guard position < bytes.count else { return .incomplete }
    guard bytes[position] == 0x3C else {
      let found =
        hasRoot ? "text after the end of the root element" : "text before the root element"
      return fail(position, "\(found), where only comments may be")
    }
    guard position + 1 < bytes.count else { return .incomplete }
    tag = position
    let next = bytes[position + 1]
    if next == 0x21 || next == 0x3F { return declaration(bytes) }
    if hasRoot { return fail(position, "a second root element; a document has one") }
    isAtStart = false
    let outcome = startTag(bytes)
    if outcome == .start || outcome == .empty { hasRoot = true }
    return outcome
  }

  /// The length of the UTF-8 byte order mark at the start; nil when too few bytes are known.
  private static func byteOrderMark(_ bytes: borrowing Span<UInt8>) -> Int? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    for place in 0..<3 {
      guard place < bytes.count else { return nil }
      guard bytes[place] == mark[place] else { return 0 }
    }
    return 3
  }

  /// A name or a text of the document as quoted in a message.
  static func quote(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
    var copy: [UInt8] = []
    for offset in range.prefix(40) { copy.append(bytes[offset]) }
    return String(decoding: copy, as: UTF8.self) + (range.count > 40 ? "…" : "")
  }
}
