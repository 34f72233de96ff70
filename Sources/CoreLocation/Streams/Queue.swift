/// First in, first out, without moving the others at every step.
struct Queue<Element> {
  private var slots: [Element?] = []
  private var head = 0

  var count: Int { slots.count - head }

  /// What is in it, oldest first.
  var elements: [Element] { slots[head...].compactMap(\.self) }

  mutating func append(_ element: Element) { slots.append(element) }

  mutating func popFirst() -> Element? {
    guard head < slots.count else { return nil }
    defer { compact() }
    // The slot is emptied at once: what it held may be large.
    return slots[head].take()
  }

  /// Takes out the first one of which `matches` is true.
  mutating func removeFirst(where matches: (Element) -> Bool) -> Element? {
    let place = slots[head...].firstIndex { $0.map(matches) ?? false }
    return place.flatMap { slots.remove(at: $0) }
  }

  /// Gives the used slots back once they are most of all, so that each element is moved about once.
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
