package import Formats
package import Foundation

/// What is known of tables that do not say it themselves.
package struct CSVSettings: Sendable, Hashable {
  /// The columns by name, where the header does not name them as we know them.
  package var columns = ColumnChoice()
  /// The zone of times that name none; nil for UTC.
  package var zone: TimeZone?

  package init() {}

  /// The options of the readers.
  package var options: ReadingOptions {
    var options = ReadingOptions()
    options.columns = columns
    options.zone = zone.map { zone in
      LocalZone(name: zone.identifier) { seconds in
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
      }
    }
    return options
  }
}

/// The section `csv` of the config.
package enum CSVSection: ConfigurationSection {
  package static let key = "csv"
  package static let keys = ["columns", "time-zone"]
  package static let form = "{columns: {time: ts, latitude: y}, time-zone: Europe/Berlin}"
  package static let defaultValue = CSVSettings()

  package static func summary(_ settings: CSVSettings) -> String? {
    settings.zone.map { "csv: times without a zone are read as \($0.identifier)" }
  }

  package static func read(_ section: inout ConfigurationSectionReader) -> CSVSettings? {
    var settings = CSVSettings()
    let form = "fields and their columns, such as {time: ts, latitude: y}"
    for (field, column) in section.pairs("columns", expected: form) ?? [] {
      do throws(ColumnChoice.Failure) {
        try settings.columns.add(field, column: column)
      } catch {
        section.note(valueOf: "columns", found: error.description, expected: form)
      }
    }
    let expected = "the name of a time zone such as Europe/Berlin"
    if let name = section.text("time-zone", expected: expected) {
      settings.zone = TimeZone(identifier: name)
      if settings.zone == nil {
        section.note(valueOf: "time-zone", found: "'\(name)'", expected: expected)
      }
    }
    return settings
  }
}
