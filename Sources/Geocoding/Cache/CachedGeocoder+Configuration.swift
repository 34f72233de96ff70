extension CachedGeocoder {
  /// What is stored, for how long and where.
  public struct Configuration: Sendable, Hashable {
    /// The folder of the file with the answers; nil keeps them in memory.
    public let folder: String?
    /// The size of the cells whose coordinates share an answer, metres.
    public let cell: Double
    /// The lifetime of places.
    public let lifetime: Duration
    /// The lifetime of the answer that nothing is known.
    public let nothingLifetime: Duration
    /// The maximum number of answers; the least recently used are dropped first.
    public let limit: Int
    /// All that the answers depend on besides the request, such as the server and its language.
    public let source: String

    /// Validates the settings.
    /// - Parameters:
    ///   - folder: Created for its owner alone (mode 0700) if it does not exist; nil keeps answers in
    ///     memory.
    ///   - cell: The size of the cells whose coordinates share an answer, 1 to 1,000,000 m. By
    ///     default 100 m: about the accuracy of a stay.
    ///   - lifetime: The lifetime of places, 1 s to 3,660 days. By default 30 days: place names seldom
    ///     change.
    ///   - nothingLifetime: The same for the answer that nothing is known; by default a day.
    ///   - limit: The maximum number of answers, 1 to 1,000,000. Each takes some 500 bytes of memory
    ///     and of the disk, there sometimes twice as much.
    ///   - source: All that the answers depend on besides the request. The file of another source is
    ///     replaced, so caches of different sources need different folders.
    /// - Throws: ``GeocoderSettingError`` for an invalid setting.
    public init(
      folder: String? = nil, cell: Double = 100, lifetime: Duration = .seconds(30 * 86_400),
      nothingLifetime: Duration = .seconds(86_400), limit: Int = 10_000, source: String = ""
    ) throws(GeocoderSettingError) {
      if let folder, folder.isEmpty || folder.utf8.contains(0) {
        throw GeocoderSettingError("folder", "'\(folder)' is not the path of a folder")
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
