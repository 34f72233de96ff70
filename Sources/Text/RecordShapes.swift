/// The bytes between the values of the records of one trace.
///
/// A program writes the records of a trace alike: the same names and blanks in the same order, with
/// other values between them. Once a record has been read with all checks, the bytes between its
/// values need not be parsed again: it is enough that those of the next record are equal. The
/// checks are not omitted, their result is remembered.
///
/// The shapes form a graph. A node is the position of a value; what may follow a value depends on
/// its node alone. A link leads from a node to the next and carries the bytes between their values,
/// its literal. Node 0 is the position between two records.
public struct RecordShapes: Sendable {
  /// A transition from one value to the next.
  public struct Link: Sendable {
    /// The offset of the literal in ``literals``; at least seven bytes follow it.
    @usableFromInline var start: Int32 = 0
    @usableFromInline var count: Int32 = 0
    @usableFromInline var target: Int32 = 0
    @usableFromInline var feeds: Int16 = 0
    @usableFromInline var feedsBeforeTag: Int16 = 0

    /// The length of the literal in bytes, at least one.
    @inlinable public var length: Int { Int(count) }
    /// The node to which the link leads.
    @inlinable public var node: Int { Int(target) }
    /// The number of line feeds in the literal.
    @inlinable public var lineFeeds: Int { Int(feeds) }
    /// How many of them precede its first `<`.
    @inlinable public var lineFeedsBeforeTag: Int { Int(feedsBeforeTag) }
  }

  @usableFromInline
  struct Node: Sendable {
    @usableFromInline var kind: UInt8 = 0
    @usableFromInline var linkCount = 0

    init(kind: UInt8 = 0) { self.kind = kind }
  }

  /// The graph is bounded, so a hostile trace cannot make it grow: nodes, links per node, bytes per
  /// literal.
  private static let nodeLimit = 64
  @inlinable static var linkLimit: Int { 8 }
  private static let literalLimit = 1 << 10

  /// The keys of the nodes, for ``node(_:kind:)`` alone.
  private var keys: [[UInt8]] = [[]]
  @usableFromInline private(set) var nodes = [Node()]
  /// ``linkLimit`` slots per node.
  @usableFromInline private(set) var links = [Link](repeating: Link(), count: linkLimit)
  @usableFromInline private(set) var literals: [UInt8] = []
  /// The number of records still to learn from: those of a trace have few shapes, or too many.
  private var recordsToLearn = 1_000
  /// The number of records to skip before the next attempt, because the last attempts failed.
  @usableFromInline var pause = 0
  @usableFromInline var failures = 0

  package init() {}

  /// The kind of value at a node, as defined by the caller.
  @inlinable @inline(__always)
  public func kind(_ node: Int) -> UInt8 { nodes[node].kind }

  /// The link from `node` whose literal is at `at`; nil when there is none.
  @inlinable @inline(__always)
  public func link(from node: Int, _ bytes: borrowing Span<UInt8>, _ at: Int) -> Link? {
    let first = node &* Self.linkLimit
    for place in first..<first &+ nodes[node].linkCount
    where isLiteral(of: links[place], bytes, at) {
      return links[place]
    }
    return nil
  }

  @inlinable @inline(__always)
  func isLiteral(of link: Link, _ bytes: borrowing Span<UInt8>, _ at: Int) -> Bool {
    guard at &+ link.length &+ 8 <= bytes.count else { return isAtEnd(link, bytes, at) }
    let literals = literals.span
    let (start, length) = (Int(link.start), link.length)
    precondition(at >= 0 && start &+ length &+ 8 <= literals.count)
    var place = 0
    // Within both by the lines above: no word begins after a literal, and eight bytes follow it.
    while place &+ 8 < length {
      let word = Bytes.uncheckedWord(literals, start &+ place)
      if Bytes.uncheckedWord(bytes, at &+ place) != word { return false }
      place &+= 8
    }
    // The last one to eight bytes; what follows them is shifted out.
    let rest = UInt64(truncatingIfNeeded: (64 &- 8 &* (length &- place)) & 63)
    let word = Bytes.uncheckedWord(literals, start &+ place)
    return (Bytes.uncheckedWord(bytes, at &+ place) ^ word) &<< rest == 0
  }

  /// The same near the end of the bytes.
  @usableFromInline @inline(never)
  func isAtEnd(_ link: Link, _ bytes: borrowing Span<UInt8>, _ at: Int) -> Bool {
    guard at + link.length <= bytes.count else { return false }
    let start = Int(link.start)
    for place in 0..<link.length where bytes[at + place] != literals[start + place] {
      return false
    }
    return true
  }

  // MARK: Trying

  /// Whether to try the next record: not before there is a shape, and rarely when the records have
  /// other shapes.
  @inlinable
  public mutating func isWorthTrying() -> Bool {
    guard nodes[0].linkCount > 0 else { return false }
    guard pause == 0 else {
      pause -= 1
      return false
    }
    return true
  }

  /// Records whether a record was read by its shape.
  @inlinable
  public mutating func note(hasRead: Bool) {
    failures = hasRead ? 0 : min(failures + 1, 6)
    pause = hasRead ? 0 : (1 << failures) - 2
  }

  // MARK: Learning

  /// Whether to learn from one more record.
  package mutating func shouldLearn() -> Bool {
    recordsToLearn -= recordsToLearn > 0 ? 1 : 0
    return recordsToLearn > 0
  }

  /// The node of `key`, created when it is new; nil when there are too many.
  package mutating func node(_ key: [UInt8], kind: UInt8) -> Int? {
    if let node = keys.firstIndex(of: key) { return node }
    guard nodes.count < Self.nodeLimit else { return nil }
    keys.append(key)
    nodes.append(Node(kind: kind))
    links.append(contentsOf: repeatElement(Link(), count: Self.linkLimit))
    return nodes.count - 1
  }

  /// Adds a link from a node to another with the bytes of `literal`, unless it exists; false when
  /// there are too many.
  package mutating func add(
    from node: Int, _ bytes: borrowing Span<UInt8>, _ literal: Range<Int>, to target: Int
  ) -> Bool {
    let first = node * Self.linkLimit
    for place in first..<first + nodes[node].linkCount
    where isEqual(links[place], bytes, literal) {
      return links[place].node == target
    }
    guard nodes[node].linkCount < Self.linkLimit, 1...Self.literalLimit ~= literal.count else {
      return false
    }
    var link = Link(
      start: Int32(literals.count), count: Int32(literal.count), target: Int32(target))
    var isBeforeTag = true
    for offset in literal {
      let byte = bytes[offset]
      literals.append(byte)
      if byte == UInt8(ascii: "<") { isBeforeTag = false }
      guard byte == UInt8(ascii: "\n") else { continue }
      link.feeds += 1
      if isBeforeTag { link.feedsBeforeTag += 1 }
    }
    literals.append(contentsOf: repeatElement(0, count: 8))
    links[first + nodes[node].linkCount] = link
    nodes[node].linkCount += 1
    return true
  }

  private func isEqual(
    _ link: Link, _ bytes: borrowing Span<UInt8>, _ literal: Range<Int>
  ) -> Bool {
    link.length == literal.count && isAtEnd(link, bytes, literal.lowerBound)
  }
}
