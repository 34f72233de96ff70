extension CachedGeocoder {
  /// What is kept, for how long and where.
  public struct Configuration: Sendable, Hashable {
    /// The folder of the file in which answers outlive the program; nil keeps them in memory alone.
    public let folder: String?
    /// The size of the cells whose coordinates share an answer, metres.
    public let cell: Double
    /// For how long places are kept.
    public let lifetime: Duration
    /// For how long it is kept that nothing is known.
    public let nothingLifetime: Duration
    /// The most answers that are kept; those that were used least lately go first.
    public let limit: Int
    /// What the answers depend on besides the request, such as the server and its language.
    public let source: String

    /// Checks the settings.
    /// - Parameters:
    ///   - folder: Made for its owner alone (mode 0700) if it is not there; nil keeps answers in
    ///     memory alone.
    ///   - cell: The size of the cells whose coordinates share an answer, 1 to 1,000,000 m. By
    ///     default 100 m: about what a stay is known to.
    ///   - lifetime: For how long places are kept, 1 s to 3,660 days. By default 30 days: names of
    ///     places seldom change.
    ///   - nothingLifetime: The same for the answer that nothing is known; by default a day.
    ///   - limit: The most answers that are kept, 1 to 1,000,000; one takes some 500 bytes of memory
    ///     and as much of the disk, sometimes twice.
    ///   - source: What the answers depend on besides the request; the file of another source is
    ///     begun anew, so that caches of different sources need different folders.
    /// - Throws: ``GeocoderSettingError`` for a setting that makes no sense.
    public init(
      folder: String? = nil, cell: Double = 100, lifetime: Duration = .seconds(30 * 86_400),
      nothingLifetime: Duration = .seconds(86_400), limit: Int = 10_000, source: String = ""
    ) throws(GeocoderSettingError) {
      if let folder, folder.isEmpty || folder.utf8.contains(0) {
        throw GeocoderSettingError("folder", "'\(folder)' is no path of a folder")
      }
      guard CoordinateGrid.sizes.contains(cell) else {
        throw GeocoderSettingError("cell", "\(cell) m is not within 1 m to 1,000,000 m")
      }
      for (name, duration) in [("lifetime", lifetime), ("nothingLifetime", nothingLifetime)] {
        guard duration >= .seconds(1), duration <= .seconds(3_660 * 86_400) else {
          throw GeocoderSettingError(name, "\(duration) is not within 1 s to 3,660 days")
        }
      }
      guard (1...1_000_000).contains(limit) else {
        throw GeocoderSettingError("limit", "\(limit) is not within 1 to 1,000,000")
      }
      self.folder = folder
      self.cell = cell
      self.lifetime = lifetime
      self.nothingLifetime = nothingLifetime
      self.limit = limit
      self.source = source
    }
  }
}
