/// The true position of a device, interpolated between the points of its track.
struct TrueTrack {
  let points: [Truth.TrackPoint]
  /// Longitudes that continue beyond ±180 where the antimeridian is crossed.
  private let longitudes: [Double]
  private let tree: PathTree

  init(_ points: [Truth.TrackPoint]) {
    // All searches need the order of time; points of the same time stay as they are.
    let isSorted = zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time }
    self.points = isSorted ? points : points.sorted { $0.time < $1.time }
    var unwrapped: [Double] = []
    for point in self.points {
      let last = unwrapped.last ?? point.position.longitude
      unwrapped.append(last + (point.position.longitude - last).remainder(dividingBy: 360))
    }
    longitudes = unwrapped
    tree = PathTree(self.points.map(\.position))
  }

  /// The position at a time, constant beyond the ends; nil on an empty track.
  func position(at time: Double) -> SphericalPosition? {
    guard let first = points.first, let last = points.last else { return nil }
    if time <= first.time { return first.position }
    if time >= last.time { return last.position }
    var (low, high) = (0, points.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if points[middle].time <= time { low = middle } else { high = middle }
    }
    let share = (time - points[low].time) / (points[high].time - points[low].time)
    let north = points[high].position.latitude - points[low].position.latitude
    let longitude = longitudes[low] + (longitudes[high] - longitudes[low]) * share
    return SphericalPosition(
      latitude: points[low].position.latitude + north * share,
      longitude: longitude.remainder(dividingBy: 360))
  }

  /// The points from a time until before another.
  func points(from start: Double, until end: Double) -> ArraySlice<Truth.TrackPoint> {
    let first = points.firstIndex(notBefore: start, time: \.time)
    return points[first..<max(first, points.firstIndex(notBefore: end, time: \.time))]
  }

  /// The first point, from a time on, that is so many metres away from a position or more.
  func firstPoint(
    from start: Double, atLeast metres: Double, from position: SphericalPosition
  ) -> Truth.TrackPoint? {
    let index = points.firstIndex(notBefore: start, time: \.time)
    return tree.first(from: index, atLeast: metres, from: position).map { points[$0] }
  }
}
