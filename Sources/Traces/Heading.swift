package import Estimation

/// The direction in which a device points, as its compass reports it; not a fix.
///
/// A source gives headings beside the fixes: the engine never sees them.
package struct Heading: Sendable, Hashable {
  /// The magnetic field along three axes of the compass, in its own unit.
  package struct Field: Sendable, Hashable {
    package var x: Double
    package var y: Double
    package var z: Double

    package init(x: Double, y: Double, z: Double) {
      (self.x, self.y, self.z) = (x, y, z)
    }
  }

  /// When it was measured; nil when the source has had no time so far.
  package var time: Timestamp?
  /// Degrees clockwise from magnetic north, from 0 to below 360; nil when unknown.
  package var magnetic: Double?
  /// Degrees clockwise from true north, from 0 to below 360; nil when unknown.
  package var geographic: Double?
  /// The magnetic field; nil when the compass does not report it.
  package var field: Field?
  /// Whether the compass reports no alarm.
  package var isReliable: Bool

  package init(
    time: Timestamp? = nil, magnetic: Double? = nil, geographic: Double? = nil,
    field: Field? = nil, isReliable: Bool = true
  ) {
    (self.time, self.magnetic, self.geographic) = (time, magnetic, geographic)
    (self.field, self.isReliable) = (field, isReliable)
  }
}
