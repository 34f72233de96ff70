internal import Geodesy

extension GazetteerFile {
  /// A coordinate within so many metres of a coast is on land: borders are simplified and have no
  /// piers.
  private static let shore = 2_000.0
  /// Width of the territorial sea: 12 nautical miles (UNCLOS, article 3), metres.
  private static let territorialSea = 22_224.0
  /// A town reaches this far beyond its radius, metres.
  private static let outskirts = 30_000.0

  /// The place at a coordinate.
  ///
  /// Its country and province come from the borders, its town from the places of that country
  /// (``GazetteerPlaces/best(near:where:)``). On the sea of a country it has that country's name,
  /// and `Sea` as its ocean.
  func place(at coordinate: Coordinate) -> GeocodedPlace {
    var region = borders.region(at: coordinate)
    var offshore = 0.0
    if region == 0 {
      guard let coast = borders.coast(near: coordinate, within: Self.territorialSea) else {
        return Self.openSea(coordinate)
      }
      (region, offshore) = (coast.region, coast.distance)
    }
    let country = country(ofRegion: region)
    var answer = GeocodedPlace(coordinate: coordinate)
    answer.country = country.flatMap(name(ofCountry:))
    answer.isoCountryCode = country.flatMap(code(ofCountry:))
    answer.distance = 0
    let nearest = places.best(near: coordinate) { self.country(ofRegion: $0) == country }
    answer.timeZoneIdentifier = nearest.flatMap { zone($0.zone) } ?? zone(ofRegion: region)
    guard offshore <= Self.shore else {
      answer.ocean = "Sea"
      answer.name = answer.country
      (answer.distance, answer.horizontalAccuracy) = (offshore, offshore)
      return answer
    }
    answer.administrativeArea = name(ofRegion: region)
    answer.name = answer.administrativeArea ?? answer.country
    if let nearest {
      let distance = coordinate.distance(to: nearest.coordinate)
      if distance <= nearest.radius + Self.outskirts {
        let name = texts.text(nearest.name)
        (answer.name, answer.locality) = (name, name)
        if let city = places.city(around: nearest) {
          (answer.locality, answer.subLocality) = (texts.text(city.name), name)
        }
        answer.coordinate = nearest.coordinate
        answer.distance = distance
        answer.horizontalAccuracy = max(distance, nearest.radius)
      }
    }
    return answer
  }

  /// The place far from any coast, with the nautical time zone.
  private static func openSea(_ coordinate: Coordinate) -> GeocodedPlace {
    var answer = GeocodedPlace(coordinate: coordinate, name: "Open sea")
    answer.ocean = "Open sea"
    answer.distance = 0
    let hours = Int((coordinate.longitude / 15).rounded())
    // The names of these zones have inverted signs.
    answer.timeZoneIdentifier =
      hours == 0 ? "Etc/GMT" : hours > 0 ? "Etc/GMT-\(hours)" : "Etc/GMT+\(-hours)"
    return answer
  }

  /// The towns of a name, at most ten: those within `near` first, by distance, then the others by size.
  ///
  /// The province, the country or its code may follow a comma.
  ///
  /// - Complexity: O(places): every name is compared.
  func places(named text: String, near: Circle?) -> [GeocodedPlace] {
    let parts = text.split(separator: ",").map { Self.key($0) }
    guard let name = parts.first, !name.isEmpty else { return [] }
    var found: [(place: GazetteerPlaces.Place, rank: (Int, Double, Int))] = []
    places.forEach { number, place in
      guard Self.key(texts.text(place.name)) == name else { return }
      guard parts.dropFirst().allSatisfy({ isWithin(place.region, $0) }) else { return }
      let distance = near?.center.distance(to: place.coordinate)
      let isNear = near.map { distance ?? 0 <= $0.radius } ?? false
      found.append((place, (isNear ? 0 : 1, isNear ? distance ?? 0 : -Double(place.size), number)))
    }
    return found.sorted { $0.rank < $1.rank }.prefix(10).map { answer($0.place) }
  }

  /// The place as an answer to a request by text: it has no distance.
  private func answer(_ place: GazetteerPlaces.Place) -> GeocodedPlace {
    let country = country(ofRegion: place.region)
    let name = texts.text(place.name)
    var answer = GeocodedPlace(
      coordinate: place.coordinate, name: name, locality: name,
      administrativeArea: self.name(ofRegion: place.region),
      isoCountryCode: country.flatMap(code(ofCountry:)),
      country: country.flatMap(self.name(ofCountry:)))
    if let city = places.city(around: place) {
      (answer.locality, answer.subLocality) = (texts.text(city.name), name)
    }
    answer.timeZoneIdentifier = zone(place.zone)
    answer.horizontalAccuracy = place.radius
    return answer
  }

  /// Whether a region, its country or the country's code is called so.
  private func isWithin(_ region: Int, _ part: String) -> Bool {
    guard let country = country(ofRegion: region) else { return false }
    let names = [
      name(ofRegion: region), name(ofCountry: country), code(ofCountry: country),
    ]
    return names.contains { $0.map { Self.key($0) } == part }
  }

  /// A name for comparisons: letters and digits alone, without accents or capitals.
  static func key(_ name: some StringProtocol) -> String {
    String(name.folded.filter { $0.isLetter || $0.isNumber })
  }
}
