internal import HTTP

extension NominatimGeocoder {
  /// The server, and how requests are made.
  public struct Configuration: Sendable, Hashable {
    /// The server and the contact.
    let server: NominatimServer
    /// The language of the names as a BCP 47 tag for requests without one; nil for the server's
    /// default.
    public let language: String?
    /// The least time from the end of a request to the next.
    public let interval: Duration
    /// The size of the grid to which a coordinate is rounded before it leaves the machine, metres; nil
    /// sends it unrounded, to 1 cm.
    public let rounding: Double?
    /// The maximum number of attempts of one request while the server is busy.
    public let attempts: Int

    /// The least interval that the server of the OpenStreetMap Foundation allows: 1 s.
    ///
    /// Source: its usage policy, https://operations.osmfoundation.org/policies/nominatim/, "an
    /// absolute maximum of 1 request per second".
    public static let politeInterval = Duration.seconds(1)

    /// Validates the settings.
    /// - Parameters:
    ///   - server: The address, `https` or `http`, such as `https://nominatim.example/`; a query in
    ///     it, such as `?key=…`, goes with every request and is not shown.
    ///   - contact: An e-mail address or a URL by which the operator of the server can reach you; it
    ///     goes with every request.
    ///   - language: The language of the names as a BCP 47 tag; nil for the server's default.
    ///   - interval: The least time from the end of a request to the next, 0 to 1 h, and at least 1 s for
    ///     `openstreetmap.org`.
    ///   - rounding: The size of the grid to which a coordinate is rounded before it leaves the
    ///     machine, 1 to 1,000,000 m; nil does not round.
    ///   - attempts: The maximum number of attempts of one request while the server is busy, 1 to 10.
    /// - Throws: ``GeocoderSettingError`` for an invalid setting.
    public init(
      server: String, contact: String, language: String? = nil,
      interval: Duration = politeInterval, rounding: Double? = nil, attempts: Int = 3
    ) throws(GeocoderSettingError) {
      self.server = try NominatimServer(url: server, contact: contact)
      guard interval >= .zero, interval <= .seconds(3600) else {
        throw GeocoderSettingError("interval", "\(interval) is not within 0 s to 1 h")
      }
      guard !self.server.isOpenStreetMap || interval >= Self.politeInterval else {
        throw GeocoderSettingError(
          "interval",
          "\(interval) is too short for \(self.server.host), which allows 1 request a second; "
            + "give 1 s or more, or a server of your own")
      }
      if let rounding, !CoordinateGrid.sizes.contains(rounding) {
        throw GeocoderSettingError("rounding", "\(rounding) m is not within 1 m to 1,000,000 m")
      }
      guard (1...10).contains(attempts) else {
        throw GeocoderSettingError("attempts", "\(attempts) is not within 1 to 10")
      }
      self.language = language
      self.interval = interval
      self.rounding = rounding
      self.attempts = attempts
    }

    /// All that answers depend on besides the request, for ``CachedGeocoder/Configuration/source``.
    package var source: String {
      let rounding = rounding.map { NominatimRequest.metres($0) } ?? "-"
      return "\(server.name) \(language ?? "-") \(rounding)"
    }
  }

  /// A sentence without its full stop that names where coordinates go, for the user to see before
  /// the first request.
  package var warning: String {
    let server = configuration.server
    guard !server.isThisMachine else {
      return "place names come from \(server.name), a server on this machine"
    }
    let proxy = server.url.flatMap { transport.proxy(for: $0) }.map {
      " through the proxy \($0.name)"
    }
    let rounded = configuration.rounding.map { ", rounded to \(NominatimRequest.metres($0)) m" }
    return "place names come from \(server.name)\(proxy ?? "")"
      + "\(server.isEncrypted ? "" : ", not encrypted"): "
      + "coordinates of stays leave this machine\(rounded ?? "")"
  }
}
