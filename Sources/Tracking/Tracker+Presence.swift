/// A fence that a device is inside.
package struct Presence: Sendable, Hashable {
  /// The id of the fence.
  package var fence: String
  /// When the device came in, or was first seen inside.
  package var since: Timestamp
}

extension Tracker {
  /// The fences that the device is inside, as the events so far say, in the order of the rules.
  ///
  /// Takes O(fences that it is inside).
  package var presence: [Presence] {
    fences.stays.sorted { $0.fence < $1.fence }
      .map { Presence(fence: rules.fences.id(at: $0.fence), since: $0.since) }
  }
}
