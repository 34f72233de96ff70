internal import Services

/// Puts what the core found in the form in which managers are told.
///
/// A location never changes, so managers that are told of the same reports share the objects: with
/// many managers, to make them would be most of the work, and to keep them most of the memory.
struct Telling {
  private var reports: [Report] = []
  private var locations: [CLLocation] = []

  /// The notice as a manager gets it.
  mutating func callAsFunction(_ notice: Notice) -> Delivery {
    guard case .locations(let reports, let service) = notice else { return .notice(notice) }
    // Arrays that are one and the same are known to be equal without a look at what is in them.
    if reports != self.reports {
      self.reports = reports
      locations = reports.map { CLLocation($0) }
    }
    return .locations(locations, service)
  }
}
