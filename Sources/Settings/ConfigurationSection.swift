/// A part of the config that another module reads: one key at the top level.
///
/// A command passes its sections to ``Configuration/init(path:sections:)``, which reads and validates
/// all of them. So `check` finds every error that another command would find.
package protocol ConfigurationSection {
  /// The settings of the section.
  associatedtype Value: Sendable & Hashable
  /// The key at the top level, such as `geocoder`.
  static var key: String { get }
  /// The keys in the section.
  static var keys: [String] { get }
  /// The expected form, for messages, such as `{provider: gazetteer}`.
  static var form: String { get }
  /// The key that a plain text in place of the section stands for: with `file`, `store: a.gpkg` is
  /// `store: {file: a.gpkg}`; nil if the section must be a mapping.
  static var shorthand: String? { get }
  /// Whether the section is a list of mappings, which ``ConfigurationSectionReader/items(_:)`` reads.
  static var isList: Bool { get }
  /// The settings of a config without the section.
  static var defaultValue: Value { get }
  /// Reads and validates the settings; notes every error. Nil if there is one.
  static func read(_ section: inout ConfigurationSectionReader) -> Value?
  /// A line for `check`; nil for none.
  static func summary(_ value: Value) -> String?
  /// Warnings about valid settings, for `check`.
  static func diagnostics(_ value: Value, at place: ConfigurationPlace) -> [ConfigurationDiagnostic]
}

extension ConfigurationSection {
  /// None.
  package static var shorthand: String? { nil }

  /// A mapping.
  package static var isList: Bool { false }

  /// None.
  package static func diagnostics(
    _ value: Value, at place: ConfigurationPlace
  ) -> [ConfigurationDiagnostic] { [] }
}

/// The settings of a section that was read.
struct ConfigurationSectionValue: Sendable, Hashable {
  let value: any Sendable & Hashable
  let summary: String?
  let diagnostics: [ConfigurationDiagnostic]

  init<Section: ConfigurationSection>(
    _ value: Section.Value, of section: Section.Type, at place: ConfigurationPlace
  ) {
    self.value = value
    summary = Section.summary(value)
    diagnostics = Section.diagnostics(value, at: place)
  }

  static func == (one: Self, other: Self) -> Bool {
    AnyHashable(one.value) == AnyHashable(other.value)
  }

  func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
}

extension Configuration {
  /// The settings of a section; its default if the config does not have it.
  package subscript<Section: ConfigurationSection>(section: Section.Type) -> Section.Value {
    sections[Section.key]?.value as? Section.Value ?? Section.defaultValue
  }
}
