package import Settings

/// The section `tiles` of the config.
package enum TileSection: ConfigurationSection {
  package static let key = "tiles"
  package static let keys = ["source", "attribution"]
  package static let shorthand: String? = "source"
  package static let form =
    "an MBTiles file such as city.mbtiles, or a URL such as https://tile.example.org/{z}/{x}/{y}.png"
  package static let defaultValue: TileSettings? = nil

  package static func summary(_ settings: TileSettings?) -> String? {
    switch settings?.source {
    case nil: nil
    case .file(let path): "tiles: \(path)"
    case .server(let server): "tiles: \(server.origin), which reports request"
    }
  }

  package static func read(_ section: inout ConfigurationSectionReader) -> TileSettings?? {
    guard let text = section.text("source", expected: form) else {
      if !section.has("source") { section.note(found: "no source", expected: form) }
      return nil
    }
    let attribution = section.text("attribution", expected: "who made the map")
    guard text.contains("://") else {
      let path = section.resolve(text)
      do throws(TileError) {
        _ = try TileFile(path: path)
      } catch {
        section.note(valueOf: "source", found: error.description)
      }
      return TileSettings(source: .file(path), attribution: attribution)
    }
    guard let server = TileServer(text) else {
      section.note(valueOf: "source", found: "'\(text)'", expected: form)
      return nil
    }
    return TileSettings(source: .server(server), attribution: attribution)
  }
}
