/// The tiles below a map, as the config names them.
package struct TileSettings: Sendable, Hashable {
  package enum Source: Sendable, Hashable {
    /// An MBTiles file, by its path.
    case file(String)
    case server(TileServer)
  }

  package var source: Source
  /// Who made the map; nil for what the file says.
  package var attribution: String?
}
