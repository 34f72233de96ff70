package import Text

/// How the text for people is laid out.
package struct TextLayout: Sendable {
  /// The zone of its times.
  package var zone = DisplayZone.utc
  /// The columns of a terminal, at which lines are cut; nil for whole lines.
  package var width: Int?

  /// Whole lines in UTC, as for files and pipes.
  package init() {}
}
