internal import Formats

/// What you know of track files that they do not say themselves.
///
/// ```swift
/// var options = TrackOptions()
/// options.columns = [.time: "ts", .latitude: "y", .longitude: "x"]
/// options.zone = TrackZone(name: "UTC+2") { _ in 7_200 }
/// let track = try TrackReader("positions.csv", options: options)
/// ```
public struct TrackOptions: Sendable {
  /// A value of a fix, or its device, which a CSV file has in a column.
  public enum Field: String, Sendable, Hashable, CaseIterable {
    /// The name of the device.
    case device
    /// The time, with its date or beside a column ``date``.
    case time
    /// The day, when the time is a time of day.
    case date
    /// Degrees, positive in the north.
    case latitude
    /// Degrees, positive in the east.
    case longitude
    /// The horizontal accuracy.
    case accuracy
    /// The speed over ground.
    case speed
    /// The course over ground, degrees true.
    case course
    /// The height above mean sea level.
    case altitude
    /// The height above the ellipsoid of WGS 84.
    case ellipsoidalAltitude
    /// The accuracy of the height.
    case verticalAccuracy
    /// The accuracy of the speed.
    case speedAccuracy
    /// The accuracy of the course, degrees.
    case courseAccuracy
    /// The horizontal dilution of precision.
    case hdop
    /// The vertical dilution of precision.
    case vdop
    /// The dilution of precision of the position.
    case pdop
    /// The number of satellites.
    case satellites
  }

  /// The columns of a CSV file whose header does not name them as the reader knows them: by name, or by
  /// number from 1 for a file without a header.
  ///
  /// Fields that are not given are found by their usual names.
  public var columns: [Field: String] = [:]
  /// The zone of times that name none; nil for UTC.
  public var zone: TrackZone?
  /// Whether each ship that a log of gpsd reports by AIS is a device too.
  public var readsShips = false

  /// Nothing is known.
  public init() {}

  /// The same for the readers.
  ///
  /// - Throws: a ``TrackProblem`` with the code ``TrackProblem/Code/wrongOption``.
  func reading(_ path: String) throws(TrackProblem) -> ReadingOptions {
    var options = ReadingOptions()
    options.readsShips = readsShips
    options.zone = zone.map { LocalZone(name: $0.name, offset: $0.offset) }
    // In the order of the fields, so that of several wrong ones the same is reported in each run.
    for field in Field.allCases {
      guard let column = columns[field] else { continue }
      do throws(ColumnChoice.Failure) {
        try options.columns.add(field.rawValue, column: column)
      } catch {
        throw TrackProblem(
          code: .wrongOption, path: path, message: error.description, endsReading: true)
      }
    }
    return options
  }
}

/// The rules of local time in one place, for times that name no zone.
///
/// The product `WaymarkFoundation` makes one of a `TimeZone`.
public struct TrackZone: Sendable {
  /// The name, for notes.
  public var name: String
  /// Seconds by which local time is ahead of UTC at an instant, which is given in whole seconds since
  /// 1970.
  public var offset: @Sendable (Int64) -> Int

  /// Makes a zone.
  ///
  /// - Parameters:
  ///   - name: The name, for notes.
  ///   - offset: Seconds by which local time is ahead of UTC at an instant, in seconds since 1970; -43,200
  ///     to 50,400 in the zones of today.
  public init(name: String, offset: @escaping @Sendable (Int64) -> Int) {
    (self.name, self.offset) = (name, offset)
  }
}
