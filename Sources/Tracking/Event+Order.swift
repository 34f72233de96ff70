extension [Event] {
  /// Sorts the events from `first` on by decision, and then by occurrence.
  ///
  /// The sort is stable. It is an insertion sort, as there are seldom more than two events.
  ///
  /// - Complexity: O(n²) for up to 16 events, beyond that O(n log n).
  mutating func sortTail(from first: Int) {
    guard count - first > 1 else { return }
    guard count - first <= 16 else { return sortLongTail(from: first) }
    for end in (first + 1)..<count {
      var place = end
      while place > first, self[place].comes(before: self[place - 1]) {
        swapAt(place, place - 1)
        place -= 1
      }
    }
  }

  private mutating func sortLongTail(from first: Int) {
    let sorted = self[first...].enumerated().sorted { a, b in
      a.element.comes(before: b.element)
        || (a.offset < b.offset && !b.element.comes(before: a.element))
    }
    replaceSubrange(first..., with: sorted.map(\.element))
  }
}

extension Event {
  fileprivate func comes(before other: Event) -> Bool {
    decided != other.decided ? decided < other.decided : time < other.time
  }
}
