internal import Services

/// The crossings of some regions as a stream; each iterator is a client of its own.
///
/// It ends when its task is cancelled.
public struct RegionCrossings: AsyncSequence, Sendable {
  /// A crossing.
  public typealias Element = RegionCrossing
  /// An iterator over the crossings.
  public typealias AsyncIterator = Iterator

  let locator: Locator
  let regions: [Region]

  /// Starts to monitor the regions.
  public func makeAsyncIterator() -> Iterator {
    Iterator(locator: locator, subscription: RegionSubscription(regions, in: locator.service))
  }

  /// An iterator over the crossings; the regions are monitored as long as it exists.
  public struct Iterator: AsyncIteratorProtocol {
    /// A crossing.
    public typealias Element = RegionCrossing

    let locator: Locator
    let subscription: RegionSubscription
    private var isAuthorized = false

    init(locator: Locator, subscription: RegionSubscription) {
      self.locator = locator
      self.subscription = subscription
    }

    /// Waits for the next crossing; nil when the task is cancelled.
    ///
    /// - Throws: ``LocatorError`` without permission, or when a region cannot be monitored.
    public mutating func next() async throws -> RegionCrossing? {
      if !isAuthorized {
        try await locator.authorize()
        isAuthorized = true
      }
      while let notice = await subscription.stream.next() {
        switch notice {
        case .failed(.denied), .monitoringFailed(_, .regionMonitoringDenied):
          throw locator.refusal(locator.service.authorizationStatus) ?? .denied
        case .monitoringFailed(let region, _):
          throw LocatorError.regionRefused(region.identifier)
        default:
          if let crossing = LocationEvent(notice).flatMap({ RegionCrossing($0) }),
            subscription.identifiers.contains(crossing.region)
          {
            return crossing
          }
        }
      }
      return nil
    }
  }
}

/// Monitors regions for one iterator until it is released.
final class RegionSubscription: Sendable {
  let stream: StreamSubscription
  let identifiers: Set<String>

  init(_ regions: [Region], in service: LocationService) {
    identifiers = Set(regions.map(\.identifier))
    let stream = StreamSubscription(.observer(.events), in: service)
    self.stream = stream
    service.step { state in
      let present = state.core.monitoredRegions
      state.sessions.beginUse(of: identifiers, besides: Set(present.map(\.identifier)))
      for region in regions where !present.contains(region) {
        state.core.startMonitoring(region, for: stream.id)
      }
    }
  }

  deinit {
    let unused = stream.service.step { $0.sessions.endUse(of: identifiers) }
    for identifier in unused { stream.service.stopMonitoring(identifier) }
  }
}
