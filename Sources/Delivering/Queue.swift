/// A first-in, first-out queue whose operations at both ends take constant time on average.
struct Queue<Element> {
  private var slots: [Element?] = []
  private var head = 0

  var count: Int { slots.count - head }

  /// All elements, oldest first.
  var elements: [Element] { slots[head...].compactMap(\.self) }

  mutating func append(_ element: Element) { slots.append(element) }

  mutating func popFirst() -> Element? {
    guard head < slots.count else { return nil }
    defer { compact() }
    // The slot is cleared at once: its element may be large.
    return slots[head].take()
  }

  /// Removes and returns the first element that matches.
  mutating func removeFirst(where matches: (Element) -> Bool) -> Element? {
    let place = slots[head...].firstIndex { $0.map(matches) ?? false }
    return place.flatMap { slots.remove(at: $0) }
  }

  /// Frees the used slots once they are the majority, so each element is moved about once.
  private mutating func compact() {
    if head + 1 == slots.count {
      slots.removeAll(keepingCapacity: true)
      head = 0
    } else {
      head += 1
      if head > 32, head > slots.count / 2 {
        slots.removeFirst(head)
        head = 0
      }
    }
  }
}
