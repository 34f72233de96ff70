/// Where a device's state is: among the active devices, or packed.
///
/// In 64 bits, so that no address of packed memory can be taken for an active device.
struct DevicePlace: Sendable, Hashable {
  private let bits: Int

  static func active(_ place: Int) -> Self { Self(bits: ~place) }
  static func packed(_ place: PackedStates.Place) -> Self { Self(bits: place.address) }

  /// Among the active ones; nil when it is packed.
  var activePlace: Int? { bits < 0 ? ~bits : nil }
  /// Its record; meaningless for an active device.
  var packedPlace: PackedStates.Place { PackedStates.Place(address: bits) }
}
