/// Which of the active devices is packed when another one needs its place.
///
/// Few places are replaced in turn, and only now and then one of the others. So when more devices report in
/// turn than are active, most of those that are active stay so, where taking the longest unused one would
/// replace each before its next fix; and the few places stay in the processor's cache, whose second level
/// a tracker of some 10 kB fills with a hundred. Scan resistance by a probation segment is that of T. Johnson
/// and D. Shasha, "2Q" (1994).
struct Replacement: Sendable {
  /// So many places are replaced in turn.
  private static let turning = 32
  /// One of so many replacements is of one of the other places.
  private static let interval = 16

  private var (count, place, otherPlace) = (0, 0, 0)

  /// The place to use, of so many, at least 1; never the same as before unless there is one only.
  mutating func next(of places: Int) -> Int {
    count &+= 1
    if places > Self.turning, count % Self.interval == 0 {
      otherPlace = otherPlace + 1 < places ? max(otherPlace + 1, Self.turning) : Self.turning
      return otherPlace
    }
    place = place + 1 < min(places, Self.turning) ? place + 1 : 0
    return place
  }
}
