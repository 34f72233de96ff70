internal import Text

extension GPXPointShapes {
  /// Learns the shape of a point that the scanner has read without errors.
  ///
  /// - Parameter range: from the end of the previous point to its own end, in a segment.
  mutating func learn(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    guard shapes.shouldLearn() else { return }
    var lesson = ShapeLearner(shapes: shapes, start: range.lowerBound)
    lesson.run(bytes, range)
    shapes = lesson.shapes
  }

  /// Splits one point into values and the literals between them.
  ///
  /// Its bytes are known to be well formed, so nothing is checked here. Rare content (a comment, a
  /// reference in a value, an element inside of a field) ends the learning.
  private struct ShapeLearner {
    var shapes: RecordShapes
    private var node = 0
    private var literalStart: Int
    private var at: Int
    /// The open elements, and the length of ``path`` before each.
    private var open: [(element: GPXVocabulary.Element, pathLength: Int)] = []
    /// The names of the open elements, and of the attributes in a tag.
    private var path: [UInt8] = []

    init(shapes: RecordShapes, start: Int) {
      self.shapes = shapes
      (literalStart, at) = (start, start)
    }

    mutating func run(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
      while let tag = bytes.firstIndex(of: 0x3C, from: at), tag + 1 < range.upperBound {
        at = tag + 1
        let goesOn: Bool
        switch bytes[at] {
        case 0x21, 0x3F: goesOn = false
        case 0x2F: goesOn = end(bytes)
        default: goesOn = start(bytes)
        }
        guard goesOn else { return }
        if open.isEmpty {
          _ = shapes.add(from: node, bytes, literalStart..<at, to: 0)
          return
        }
      }
    }

    private mutating func end(_ bytes: borrowing Span<UInt8>) -> Bool {
      guard let close = bytes.firstIndex(of: 0x3E, from: at), let last = open.popLast() else {
        return false
      }
      path.removeSubrange(last.pathLength...)
      at = close + 1
      return true
    }

    private mutating func start(_ bytes: borrowing Span<UInt8>) -> Bool {
      let name = takeName(bytes)
      let element = GPXVocabulary.element(
        ShortName(bytes, name.local), in: open.last?.element ?? .segment)
      if open.isEmpty, !element.isPoint { return false }
      open.append((element, path.count))
      path.append(0x2F)
      append(bytes, name.whole)
      let pathLength = path.count
      guard takeAttributes(bytes, of: element) else { return false }
      path.removeSubrange(pathLength...)
      if bytes[at] == 0x2F {
        at += 2
        path.removeSubrange((open.popLast()?.pathLength ?? 0)...)
        return !element.isField
      }
      at += 1
      return takeText(bytes, of: element)
    }

    /// Takes the text of an element without child elements as a value.
    private mutating func takeText(
      _ bytes: borrowing Span<UInt8>, of element: GPXVocabulary.Element
    ) -> Bool {
      guard let next = bytes.firstIndex(of: 0x3C, from: at) else { return false }
      let hasElements = bytes[next + 1] != 0x2F
      if case .field(let field) = element {
        return !hasElements && value(bytes, at..<next, Kind.field + field.rawValue)
      }
      if hasElements || element.isPoint || at == next || !isPlain(bytes, at..<next) { return true }
      return value(bytes, at..<next, Kind.text)
    }

    private mutating func takeAttributes(
      _ bytes: borrowing Span<UInt8>, of element: GPXVocabulary.Element
    ) -> Bool {
      while true {
        while isXMLSpace(bytes[at]) { at += 1 }
        if bytes[at] == 0x3E || bytes[at] == 0x2F { return true }
        let name = takeName(bytes)
        while bytes[at] != 0x22, bytes[at] != 0x27 { at += 1 }
        let quote = bytes[at]
        guard let last = bytes.firstIndex(of: quote, from: at + 1) else { return false }
        path.append(0x40)
        append(bytes, name.whole)
        let local = ShortName(bytes, name.local)
        var kind = quote == 0x22 ? Kind.doubleQuoted : Kind.quoted
        if element.isPoint, open.count == 1, local == GPXDecoder.latitude { kind = Kind.latitude }
        if element.isPoint, open.count == 1, local == GPXDecoder.longitude {
          kind = Kind.longitude
        }
        if isPlain(bytes, at + 1..<last) {
          guard value(bytes, at + 1..<last, kind) else { return false }
        } else if kind == Kind.latitude || kind == Kind.longitude {
          return false
        }
        at = last + 1
      }
    }

    /// Adds a value at which the literal ends, and begins the next literal after it.
    private mutating func value(
      _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, _ kind: UInt8
    ) -> Bool {
      guard let target = shapes.node(path + [kind], kind: kind),
        shapes.add(from: node, bytes, literalStart..<range.lowerBound, to: target)
      else { return false }
      node = target
      literalStart = range.upperBound
      return true
    }

    private mutating func takeName(
      _ bytes: borrowing Span<UInt8>
    ) -> (whole: Range<Int>, local: Range<Int>) {
      let start = at
      var local = at
      while bytes[at] >= 0x80 || XMLCharacter.isNameByte(bytes[at]) {
        at += 1
        if bytes[at - 1] == 0x3A { local = at }
      }
      return (start..<at, local..<at)
    }

    private mutating func append(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
      for offset in range { path.append(bytes[offset]) }
    }

    private func isPlain(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
      GPXPointShapes.isPlain(bytes, range)
    }
  }
}
