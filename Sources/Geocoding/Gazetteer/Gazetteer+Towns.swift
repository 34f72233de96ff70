package import Geodesy

/// A place for a map: its name and where it is.
package struct Town: Sendable, Hashable {
  /// As in the source, in one language.
  package let name: String
  package let coordinate: Coordinate
  /// Eight times the binary logarithm of its population and 1.
  package let size: Int
}

extension Gazetteer {
  /// The largest places in a box, the largest first.
  /// - Complexity: O(places): some milliseconds.
  package func towns(in box: Box, most: Int) -> [Town] {
    read { file in
      var found: [(number: Int, place: GazetteerPlaces.Place)] = []
      file.places.forEach { number, place in
        if box.contains(place.coordinate) { found.append((number, place)) }
      }
      found.sort { ($1.place.size, $0.number) < ($0.place.size, $1.number) }
      return found.prefix(most).map {
        Town(
          name: file.texts.text($0.place.name), coordinate: $0.place.coordinate, size: $0.place.size
        )
      }
    } ?? []
  }
}
