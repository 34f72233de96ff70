public import Geodesy

extension StubGeocoder {
  /// How long an answer is held.
  public enum Hold: Sendable, Hashable {
    /// Not at all.
    case none
    /// Until ``StubGeocoder/release(_:)``.
    case untilReleased
    /// Until so many further requests were made, or ``StubGeocoder/release(_:)``.
    case requests(Int)
  }

  /// What the table knows of one place.
  ///
  /// A coordinate is answered by the entries whose circle holds it, the nearest first; a text by the
  /// entries with that name, those within the circle asked for first, then as in the table. Where
  /// entries in the language asked for answer, the others are left out. If the first entry is a
  /// failure, the request fails; failures after a place are left out.
  public struct Entry: Sendable {
    /// What is answered.
    public var outcome: Result<GeocodedPlace, GeocoderError>
    /// The coordinates it answers.
    public var area: Circle
    /// The texts it answers; only their letters and digits count, in any case.
    public var names: [String]
    /// The language of the answer as a BCP 47 tag; nil is good for every language, and an entry with
    /// a language is for that one alone.
    public var language: String?
    /// How long the answer is held; the first entry that answers decides.
    public var hold: Hold

    /// An entry that answers with a place, within a radius in metres around it and by its names; no
    /// names means the place's own name and locality.
    public init(
      _ place: GeocodedPlace, radius: Double = 100, names: [String]? = nil,
      language: String? = nil, hold: Hold = .none
    ) {
      outcome = .success(place)
      area = Circle(center: place.coordinate, radius: radius)
      self.names = names ?? [place.name, place.locality].compactMap(\.self)
      self.language = language
      self.hold = hold
    }

    /// An entry that fails, in an area and for names.
    public init(
      _ error: GeocoderError, in area: Circle, names: [String] = [], hold: Hold = .none
    ) {
      outcome = .failure(error)
      self.area = area
      self.names = names
      self.hold = hold
    }
  }

  /// The entries that answer a request, the best first.
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
    // As far as each other: as in the table.
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

  private static func key(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }

  /// The places of the entries, or the failure of the first.
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
