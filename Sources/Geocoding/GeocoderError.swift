/// Why there is no name for a place.
public enum GeocoderError: Error, Sendable, Hashable {
  /// Nothing is known there.
  case noResult
  /// Only a part of what was asked for is known.
  case partialResult
  /// There is no way to ask, or too much was asked.
  case network(String)
}
