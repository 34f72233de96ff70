internal import Services

extension CLLocationUpdate {
  /// The kind of movement, which decides when the device is stationary; each case stands for a
  /// `CLActivityType`.
  public enum LiveConfiguration: Int, Sendable, Hashable {
    /// Anything.
    case `default` = 0
    /// A road vehicle.
    case automotiveNavigation = 1
    /// A boat, a train or another vehicle that is not on a road.
    case otherNavigation = 2
    /// A person on foot or on a bicycle.
    case fitness = 3
    /// An aircraft.
    case airborne = 4

    var activity: Activity {
      switch self {
      case .default: .other
      case .automotiveNavigation: .automotiveNavigation
      case .otherNavigation: .otherNavigation
      case .fitness: .fitness
      case .airborne: .airborne
      }
    }
  }

  /// The live locations, with the last known one first.
  ///
  /// Beginning to iterate starts the service and, if the user has not decided yet, requests permission
  /// while in use. Leaving the loop stops it. When the device becomes stationary one update reports it;
  /// updates resume when it moves. The loop ends only when its task is cancelled.
  public static func liveUpdates(
    _ configuration: LiveConfiguration = .default
  ) -> Updates {
    Updates(service: .current, configuration: configuration)
  }

  /// The live locations of one configuration; each iterator is a client of its own.
  public struct Updates: AsyncSequence, Sendable {
    /// An update.
    public typealias Element = CLLocationUpdate
    /// An iterator over the updates.
    public typealias AsyncIterator = Iterator

    let service: LocationService
    let configuration: LiveConfiguration

    /// Starts the service.
    public func makeAsyncIterator() -> Iterator {
      Iterator(subscription: StreamSubscription(.stream(configuration.activity), in: service))
    }

    /// An iterator over the updates; the service runs as long as it exists.
    public struct Iterator: AsyncIteratorProtocol {
      /// An update.
      public typealias Element = CLLocationUpdate

      let subscription: StreamSubscription

      /// Waits for the next update; nil when the task is cancelled.
      public mutating func next() async throws -> Element? {
        while let notice = await subscription.next() {
          if case .update(let update) = notice { return CLLocationUpdate(update) }
        }
        return nil
      }
    }
  }
}
