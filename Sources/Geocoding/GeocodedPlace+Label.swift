extension GeocodedPlace {
  /// Its name, town and country on one line, each once: `Kreuzberg, Berlin, Germany`; nil if all are
  /// unknown.
  public var label: String? {
    let street = thoroughfare.map {
      [$0, subThoroughfare].compactMap(\.self).joined(separator: " ")
    }
    var parts: [String] = []
    for part in [name ?? street, locality, country].compactMap(\.self) where !parts.contains(part) {
      parts.append(part)
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
