internal import Geodesy

/// The way from one fix to the next: along the geodesic, at even speed.
struct Step {
  let from: Fix
  let to: Fix
  let start: Timestamp
  /// Seconds from the one to the other, above 0.
  let duration: Double
  /// When the engine believed the second fix.
  let decided: Timestamp

  /// Both fixes have times, the second one later: the gate sees to that.
  init(from: Fix, to: Fix, decided: Timestamp) {
    self.from = from
    self.to = to
    start = from.time ?? decided
    duration = (to.time ?? decided).seconds(since: start)
    self.decided = decided
  }

  /// A box around the whole way.
  var box: Box { Box(pathFrom: from.coordinate, to: to.coordinate) }

  func time(at fraction: Double) -> Timestamp {
    start.advanced(bySeconds: duration * fraction)
  }

  /// Accuracy at a place on the way: between those of its ends, or that of the one that has any.
  func horizontalAccuracy(at fraction: Double) -> Double? {
    guard let before = from.horizontalAccuracy, let after = to.horizontalAccuracy else {
      return from.horizontalAccuracy ?? to.horizontalAccuracy
    }
    return before + (after - before) * fraction
  }

  /// Speed at a place on the way, when both ends tell theirs.
  func speed(at fraction: Double) -> Double? {
    guard let before = from.speed, let after = to.speed else { return nil }
    return before + (after - before) * fraction
  }

  /// Course at a place on the way, turning the shorter way round, when both ends tell theirs.
  func course(at fraction: Double) -> Double? {
    guard let before = from.course, let after = to.course else { return nil }
    var turn = (after - before).truncatingRemainder(dividingBy: 360)
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    let course = (before + turn * fraction).truncatingRemainder(dividingBy: 360)
    return course < 0 ? course + 360 : course
  }
}

/// When and where something happened, and how the device moved at that moment.
struct Moment: Sendable, Hashable, Codable {
  var time: Timestamp
  var decided: Timestamp
  var coordinate: Coordinate
  var horizontalAccuracy: Double?
  var speed: Double?
  var course: Double?

  /// At a fix, said to be at `time`.
  init(_ fix: Fix, time: Timestamp, decided: Timestamp) {
    self.time = time
    self.decided = decided
    coordinate = fix.coordinate
    horizontalAccuracy = fix.horizontalAccuracy
    speed = fix.speed
    course = fix.course
  }

  /// On the way between two fixes.
  init(_ way: Way, _ fraction: Double, time: Timestamp) {
    self.time = time
    decided = way.step.decided
    coordinate = way.coordinate(at: fraction)
    horizontalAccuracy = way.step.horizontalAccuracy(at: fraction)
    speed = way.step.speed(at: fraction)
    course = way.step.course(at: fraction)
  }

  func event(_ statement: Event.Statement) -> Event {
    Event(
      statement: statement, time: time, decided: decided, coordinate: coordinate,
      horizontalAccuracy: horizontalAccuracy, speed: speed, course: course)
  }
}

extension [Event] {
  /// Puts the events from `first` on in the order of decision, and then of occurrence.
  ///
  /// Those alike in both stay as they are. An insertion sort, as there are seldom more than two.
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
