package import Settings
internal import Text

/// The section `store` of the config.
package enum StoreSection: ConfigurationSection {
  package static let key = "store"
  package static let keys = ["file", "keep", "fixes"]
  package static let shorthand: String? = "file"
  package static let form = "a file such as events.gpkg, or {file: events.gpkg, keep: 90 d}"
  package static let defaultValue: StoreSettings? = nil

  package static func summary(_ settings: StoreSettings?) -> String? {
    guard let settings else { return nil }
    let kept = settings.retention.map { "keep \(Readable.duration($0))" }
    let parts = [settings.path, kept, settings.keepsFixes ? "with fixes" : nil]
    return "store: \(parts.compactMap { $0 }.joined(separator: ", "))"
  }

  package static func read(_ section: inout ConfigurationSectionReader) -> StoreSettings?? {
    guard section.has("file") else {
      section.note(found: "no file", expected: form)
      return nil
    }
    let expected = "the path of a file such as events.gpkg"
    let file = section.text("file", expected: expected)
    let isOutput = file == "-"
    if isOutput {
      section.note(valueOf: "file", found: "standard output (-)", expected: expected)
    }
    let retention = section.duration("keep")
    let fixes = section.flag("fixes")
    guard let file, !isOutput else { return nil }
    return StoreSettings(
      path: section.resolve(file), retention: retention, keepsFixes: fixes ?? false)
  }
}
