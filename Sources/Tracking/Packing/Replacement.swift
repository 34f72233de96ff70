/// Which of the active devices is packed when another one needs its place.
///
/// Few places are replaced in turn, and only now and then one of the others. So when more devices report in
/// turn than are active, most of those that are active stay so, where taking the longest unused one would
/// replace each before its next fix; and the few places stay in the processor's cache, whose second level
/// a tracker of some 10 kB fills with a hundred. Scan resistance by a probation segment is that of T. Johnson
/// and D. Shasha, "2Q" (1994).
struct Replacement: Sendable {
  /// The places that are replaced in turn.
  private static let few = 32
  /// One of so many replacements is one of the other places.
  private static let others = 16

  private var (count, few, other) = (0, 0, 0)

  /// The place to use, of so many, at least 1; never the same as before unless there is one only.
  mutating func next(of places: Int) -> Int {
    count &+= 1
    if places > Self.few, count % Self.others == 0 {
      other = other + 1 < places ? max(other + 1, Self.few) : Self.few
      return other
    }
    few = few + 1 < min(places, Self.few) ? few + 1 : 0
    return few
  }
}
