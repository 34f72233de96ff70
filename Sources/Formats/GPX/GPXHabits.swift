/// What a program means by elements of GPX that others use in another way.
struct GPXHabits: Sendable {
  /// Whether elevations are heights above the WGS 84 ellipsoid, not above mean sea level.
  private(set) var isEllipsoidal = false
  /// Whether `hdop` is the horizontal accuracy in metres, not a dilution.
  private(set) var hasAccuracyAsHDOP = false

  /// Those of the schema.
  init() {}

  /// Those of the program that the document names as its creator.
  init(creator: String) {
    // gpsd's gpxlogger.
    isEllipsoidal = creator.hasPrefix("GPSD ")
    // Both write Android's accuracy there, with a probability of 68 % (OsmAnd's issues 3445 and 6325).
    hasAccuracyAsHDOP = creator.hasPrefix("OsmAnd") || creator.hasPrefix("Locus")
  }
}
