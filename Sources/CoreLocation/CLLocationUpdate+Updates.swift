internal import Services

extension CLLocationUpdate {
  /// What moves, by which is decided when it rests; each stands for a `CLActivityType`.
  public enum LiveConfiguration: Int, Sendable, Hashable {
    /// Anything.
    case `default` = 0
    /// A road vehicle.
    case automotiveNavigation = 1
    /// A boat, a train or another vehicle that is not on a road.
    case otherNavigation = 2
    /// Somebody on foot or on a bicycle.
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

  /// The live locations: the last known one first.
  ///
  /// To begin to iterate starts the service and, where nobody decided yet, asks for permission while
  /// in use; to leave the loop stops it. While the device rests one update says so, and updates go on
  /// by themselves when it moves. The loop ends when its task is cancelled, and not by itself.
  public static func liveUpdates(
    _ configuration: LiveConfiguration = .default
  ) -> Updates {
    Updates(service: .current, configuration: configuration)
  }

  /// The live locations of one configuration; each iterator is a run of its own.
  public struct Updates: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = CLLocationUpdate
    /// One run over the updates.
    public typealias AsyncIterator = Iterator

    let service: LocationService
    let configuration: LiveConfiguration

    /// Starts the service.
    public func makeAsyncIterator() -> Iterator {
      Iterator(run: StreamRun(.stream(configuration.activity), in: service))
    }

    /// One run over the updates; the service runs as long as it is there.
    public struct Iterator: AsyncIteratorProtocol {
      /// What is told.
      public typealias Element = CLLocationUpdate

      let run: StreamRun

      /// The next update, as soon as there is one; nil when the task is cancelled.
      public mutating func next() async throws -> Element? {
        while let notice = await run.next() {
          if case .update(let update) = notice { return CLLocationUpdate(update) }
        }
        return nil
      }
    }
  }
}
