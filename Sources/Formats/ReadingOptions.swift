/// What a user knows of the inputs that they do not say themselves.
package struct ReadingOptions: Sendable {
  /// The columns of a table by name, where its header does not name them as we know them.
  package var columns = ColumnChoice()
  /// The zone of times that name none; nil for UTC.
  package var zone: LocalZone?
  /// Where paths name the device; nil when they do not.
  package var devices: DevicePattern?
  /// Whether each ship that a log of gpsd reports by AIS is a device.
  package var readsShips = false
  /// Whether positions that a receiver calls simulated are used.
  package var allowsSimulated = false

  package init() {}
}
