internal import Services

/// Converts notices of the core to deliveries for managers.
///
/// Locations are immutable, so managers that get the same reports share the objects. With many managers
/// separate objects would take most of the time and memory.
struct DeliveryConverter {
  private var source: [Location] = []
  private var locations: [CLLocation] = []

  /// The delivery for a notice.
  mutating func callAsFunction(_ notice: Notice) -> Delivery {
    guard case .locations(let source, let service) = notice else { return .notice(notice) }
    // Arrays that share their storage compare equal without comparing elements.
    if source != self.source {
      self.source = source
      locations = source.map { CLLocation($0) }
    }
    return .locations(locations, service)
  }
}
