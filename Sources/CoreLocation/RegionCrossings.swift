internal import Services

/// The crossings of some regions, for a task to iterate over; each iterator is a run of its own.
///
/// It ends when its task is cancelled.
public struct RegionCrossings: AsyncSequence, Sendable {
  /// What is told.
  public typealias Element = RegionCrossing
  /// One run over the crossings.
  public typealias AsyncIterator = Iterator

  let locator: Locator
  let regions: [Region]

  /// Starts to monitor the regions.
  public func makeAsyncIterator() -> Iterator {
    Iterator(locator: locator, run: RegionRun(regions, in: locator.service))
  }

  /// One run over the crossings; the regions are monitored as long as it is there.
  public struct Iterator: AsyncIteratorProtocol {
    /// What is told.
    public typealias Element = RegionCrossing

    let locator: Locator
    let run: RegionRun
    private var isAuthorized = false

    init(locator: Locator, run: RegionRun) {
      self.locator = locator
      self.run = run
    }

    /// The next crossing, as soon as there is one; nil when the task is cancelled.
    ///
    /// - Throws: ``LocatorError`` when the program may not know where the device is, or a region
    ///   cannot be monitored.
    public mutating func next() async throws -> RegionCrossing? {
      if !isAuthorized {
        try await locator.authorize()
        isAuthorized = true
      }
      while let notice = await run.stream.next() {
        switch notice {
        case .failed(.denied), .monitoringFailed(_, .regionMonitoringDenied):
          throw locator.refusal(locator.service.authorizationStatus) ?? .denied
        case .monitoringFailed(let region, _):
          throw LocatorError.regionRefused(region.identifier)
        default:
          if let crossing = LocationEvent(notice).flatMap({ RegionCrossing($0) }),
            run.identifiers.contains(crossing.region)
          {
            return crossing
          }
        }
      }
      return nil
    }
  }
}

/// Monitors regions for one iterator, as long as somebody holds it.
final class RegionRun: Sendable {
  let stream: StreamRun
  let identifiers: Set<String>

  init(_ regions: [Region], in service: LocationService) {
    identifiers = Set(regions.map(\.identifier))
    let stream = StreamRun(.observer(.events), in: service)
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
