import Geodesy
import Services
import Tracking

/// A core with a way to say fixes in metres and seconds.
struct Stand {
  var core: ServiceCore
  /// Where metres are counted from.
  static let origin = Coordinate(latitude: 52.5, longitude: 13.4)
  static let start = Timestamp(nanoseconds: 1_790_000_000_000_000_000)

  init(_ grant: Authorization = Authorization(.always), profile: Profile = .precise) {
    core = ServiceCore(profile: profile, grant: grant)
  }

  static func place(east: Double, north: Double = 0) -> Coordinate {
    origin.destination(bearing: 90, distance: east).destination(bearing: 0, distance: north)
  }

  static func time(_ seconds: Double) -> Timestamp { start.advanced(bySeconds: seconds) }

  static func fix(_ seconds: Double, east: Double, accuracy: Double? = 5) -> Fix {
    var fix = Fix(time: time(seconds), coordinate: place(east: east))
    fix.horizontalAccuracy = accuracy
    return fix
  }

  /// Gives a fix and takes what it says.
  @discardableResult
  mutating func fix(_ seconds: Double, east: Double, accuracy: Double? = 5) -> [AddressedNotice] {
    core.ingest(Self.fix(seconds, east: east, accuracy: accuracy), from: .simulation)
    return core.takeNotices()
  }

  /// A manager that has been told of its permission.
  mutating func manager() -> ClientID {
    let id = core.add(.manager)
    _ = core.takeNotices()
    return id
  }
}

extension [AddressedNotice] {
  /// Numbers of metres east of the origin of the locations in these notices, rounded.
  var easts: [[Int]] {
    compactMap { addressed in
      guard case .locations(let reports, _) = addressed.notice else { return nil }
      return reports.map { report in
        Int(Stand.origin.distance(to: report.fix.coordinate).rounded())
      }
    }
  }

  /// The notices in short, without locations.
  var words: [String] {
    map { addressed in
      switch addressed.notice {
      case .authorization: "authorization"
      case .locations(let reports, let service): "\(service) \(reports.count)"
      case .failed(let failure): "failed \(failure)"
      case .paused: "paused"
      case .resumed: "resumed"
      case .deferralEnded(let failure): "deferral \(failure.map { "\($0)" } ?? "done")"
      case .monitoringStarted(let region): "monitoring \(region.identifier)"
      case .monitoringFailed(let region, let failure):
        "not monitoring \(region.identifier): \(failure)"
      case .state(let state, let region): "\(state) \(region.identifier)"
      case .entered(let region): "entered \(region.identifier)"
      case .exited(let region): "exited \(region.identifier)"
      case .visit(let stay): stay.departure == nil ? "arrived" : "departed"
      case .update(let update):
        update.location == nil ? "no location" : update.isStationary ? "stationary" : "update"
      case .condition(let event): "\(event.state) \(event.identifier)"
      case .event: "event"
      case .heading: "heading"
      }
    }
  }
}
