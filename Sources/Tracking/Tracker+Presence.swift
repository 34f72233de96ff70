package import Geodesy

/// A fence that a device is inside.
package struct Presence: Sendable, Hashable {
  /// The id of the fence.
  package var fence: String
  /// When the device came in, or was first seen inside.
  package var since: Timestamp
}

/// A stay that has not ended.
package struct StandingStay: Sendable, Hashable {
  /// When the device came, or was first seen there.
  package var arrival: Timestamp
  /// The centre of the stay so far; it moves with the fixes.
  package var coordinate: Coordinate

  package init(arrival: Timestamp, coordinate: Coordinate) {
    (self.arrival, self.coordinate) = (arrival, coordinate)
  }
}

extension Tracker {
  /// The stay of a visit that was reported and has not ended; nil when there is none.
  package var standingStay: StandingStay? {
    guard let stay = visits.stay, let map = visits.map else { return nil }
    return StandingStay(arrival: stay.arrival, coordinate: map.coordinate(at: stay.center))
  }

  /// The fences that the device is inside, as the events so far say, in the order of the rules.
  ///
  /// Takes O(fences that it is inside).
  package var presence: [Presence] {
    stays.map { Presence(fence: rules.fences.id(at: $0.fence), since: $0.since) }
  }

  /// The same by the indices of the fences.
  package var stays: [(fence: Int, since: Timestamp)] {
    fences.stays.sorted { $0.fence < $1.fence }.map { ($0.fence, $0.since) }
  }
}
