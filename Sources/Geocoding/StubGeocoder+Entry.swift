public import Geodesy

extension StubGeocoder {
  /// How long an answer is delayed.
  public enum Delay: Sendable, Hashable {
    /// No delay.
    case none
    /// Until ``StubGeocoder/release(_:)``.
    case untilReleased
    /// Until so many more requests were made, or ``StubGeocoder/release(_:)``.
    case requests(Int)
  }

  /// One row of the table.
  ///
  /// A coordinate matches the entries whose circle contains it, nearest first. A text matches the
  /// entries with that name: those in the circle of the request first, then in the order of the
  /// table. If entries in the language of the request match, the others are left out. If the first
  /// entry is an error, the request fails; errors after a place are left out.
  public struct Entry: Sendable {
    /// The answer.
    public var outcome: Result<GeocodedPlace, GeocoderError>
    /// The coordinates that it matches.
    public var area: Circle
    /// The texts that it matches; only letters and digits count, without case.
    public var names: [String]
    /// The language of the answer as a BCP 47 tag; nil matches every language, a tag that one alone.
    public var language: String?
    /// How long the answer is delayed; the first matching entry decides.
    public var delay: Delay

    /// An entry for a place, with a radius in metres around it and its names; by default the place's
    /// name and locality.
    public init(
      _ place: GeocodedPlace, radius: Double = 100, names: [String]? = nil,
      language: String? = nil, delay: Delay = .none
    ) {
      outcome = .success(place)
      area = Circle(center: place.coordinate, radius: radius)
      self.names = names ?? [place.name, place.locality].compactMap(\.self)
      self.language = language
      self.delay = delay
    }

    /// An entry for an error, with an area and names.
    public init(
      _ error: GeocoderError, in area: Circle, names: [String] = [], delay: Delay = .none
    ) {
      outcome = .failure(error)
      self.area = area
      self.names = names
      self.delay = delay
    }
  }

  /// The entries that match a request, best first.
  func entries(for request: GeocoderRequest) -> [Entry] {
    let matching =
      switch request.subject {
      case .coordinate(let coordinate): entries(around: coordinate)
      case .text(let text, let near): entries(named: text, near: near)
      }
    let inLanguage = matching.filter { $0.language != nil && $0.language == request.language }
    return inLanguage.isEmpty ? matching.filter { $0.language == nil } : inLanguage
  }

  private func entries(around coordinate: Coordinate) -> [Entry] {
    // Equal distances: in the order of the table.
    entries.enumerated().filter { $0.element.area.contains(coordinate) }
      .map { ($0.element.area.center.distance(to: coordinate), $0.offset) }
      .sorted { $0 < $1 }
      .map { entries[$0.1] }
  }

  private func entries(named text: String, near: Circle?) -> [Entry] {
    let key = Self.key(text)
    let named = entries.filter { $0.names.contains { Self.key($0) == key } }
    guard let near else { return named }
    let isNear = { (entry: Entry) in near.contains(entry.area.center) }
    return named.filter(isNear) + named.filter { !isNear($0) }
  }

  /// The words of a name, for comparisons.
  private static func key(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }

  /// The places of the entries, or the error of the first.
  func answer(
    of entries: [Entry], to request: GeocoderRequest
  ) throws(GeocoderError) -> [GeocodedPlace] {
    guard let first = entries.first else { throw .noResult }
    _ = try first.outcome.get()
    return entries.compactMap { try? $0.outcome.get() }.map { place in
      guard case .coordinate(let coordinate) = request.subject else { return place }
      var place = place
      place.distance = place.coordinate.distance(to: coordinate)
      return place
    }
  }
}
