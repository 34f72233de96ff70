/// Reads XML 1.0 piece by piece: checks that it is well formed and hands out its elements.
///
/// It is meant for traces: names, attributes and the text of chosen elements come out, nothing is
/// built and nothing is fetched. It holds no bytes but the names of open elements and the text
/// being collected, and every limit is a named constant, so that its memory is constant.
struct XMLScanner: Sendable {
  /// What comes next.
  enum Token {
    /// A start tag; ``name``, ``attributes`` and ``tag`` tell of it. An empty element also ends.
    case start
    /// The end of an element; ``tag`` is where its end tag is.
    case end
    /// The bytes are used up as far as ``position``.
    case more
    /// The document ended as it should.
    case done
    /// The bytes ended inside the document.
    case truncated
    /// The document is not well formed, or goes beyond a limit: see ``fault``.
    case fault
  }

  /// Why reading stopped, and the offset at which.
  struct Fault: Sendable {
    var offset: Int
    var message: String
  }

  struct Attribute: Sendable {
    var name: Range<Int>
    var local: Range<Int>
    var value: Range<Int>
    var hasReferences = false
  }

  /// How deep elements may be nested.
  static let depthLimit = 64
  /// How many attributes a tag may have.
  static let attributeLimit = 64
  /// How long a tag, a document type and a collected text may be, in bytes.
  static let tokenLimit = 64 << 10
  /// How long the target of a processing instruction may be, in bytes.
  static let targetLimit = 1 << 10
  /// How long a reference (`&…;`) may be, in bytes.
  static let referenceLimit = 64

  /// What stands at ``position``.
  enum Place: Sendable { case markup, comment, instruction, characterData }

  /// The offset of the next byte to read.
  var position = 0
  var place = Place.markup
  var lines = LineCounter()
  private(set) var tag = 0
  /// The element's name without its prefix, after a ``Token/start``.
  var name = 0..<0
  var attributes: [Attribute] = []
  var fault: Fault?
  var open = OpenElements()
  var text = CollectedText()
  /// Where the name that was read last begins behind its prefix.
  var localStart = 0
  /// Whether nothing comes after the bytes at hand.
  var isFinal = false
  var isPastMark = false
  /// Whether nothing was read, so that an XML declaration may come.
  var isAtStart = true
  var hasRoot = false
  var hasDoctype = false
  /// How far the end of a tag that was cut was looked for.
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
        outcome = passOver(bytes)
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
      case .fault: return .fault
      }
    }
  }

  /// Forgets the bytes before ``position`` and returns how many they are.
  mutating func use(_ bytes: borrowing Span<UInt8>) -> Int {
    let count = position
    lines.use(count, bytes)
    position = 0
    return count
  }

  /// What one step led to.
  enum Outcome { case goOn, start, empty, end, incomplete, fault }

  /// Ends reading with a fault.
  mutating func fail(_ offset: Int, _ message: String) -> Outcome {
    fault = Fault(offset: offset, message: message)
    return .fault
  }

  /// The bytes go no further than ``position``.
  private mutating func stop(_ bytes: borrowing Span<UInt8>) -> Token {
    if let excess = text.save(bytes) {
      _ = failTooLongText(excess)
      return .fault
    }
    guard isFinal else { return .more }
    let isWhole = position == bytes.count && hasRoot && open.depth == 0 && place == .markup
    if isWhole { return .done }
    position = bytes.count
    return .truncated
  }

  mutating func failTooLongText(_ offset: Int) -> Outcome {
    fail(offset, "a text is longer than \(Self.tokenLimit >> 10) KiB, the limit for a value")
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

  /// What may stand before and after the root element.
  private mutating func outside(_ bytes: borrowing Span<UInt8>) -> Outcome {
    if !isPastMark {
      guard let mark = Self.byteOrderMark(bytes) else { return .incomplete }
      position = mark
      lines.skipMark(mark)
      isPastMark = true
    }
    while position < bytes.count, isXMLSpace(bytes[position]) {
      position += 1
      isAtStart = false
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

  /// How long the UTF-8 byte order mark is that the bytes begin with; nil when that is not yet known.
  private static func byteOrderMark(_ bytes: borrowing Span<UInt8>) -> Int? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    for place in 0..<3 {
      guard place < bytes.count else { return nil }
      guard bytes[place] == mark[place] else { return 0 }
    }
    return 3
  }

  /// A name or a text of the document as it is quoted in a message.
  static func quote(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
    var copy: [UInt8] = []
    for offset in range.prefix(40) { copy.append(bytes[offset]) }
    return String(decoding: copy, as: UTF8.self) + (range.count > 40 ? "…" : "")
  }
}
