package import Foundation

/// A text with fields of the event in braces, such as `{device} {verb} {fence} at {time}`.
///
/// `{{` and `}}` are braces.
package struct MessageTemplate: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case text(String)
    case field(Field)
  }

  /// What can be in braces.
  package enum Field: String, Sendable, Hashable, CaseIterable {
    /// Words for the type: `entered`, `left`, `stayed in`, `is inside`, `arrived at`, …
    case verb
    case type, id, device, fence, state, place, message
    /// The fence, or the place of a visit, or its position.
    case where_ = "where"
    /// When it happened; the config's time zone, `14:02:07`.
    case time
    /// Its date, `2026-03-10`.
    case date
    case decided, arrival, departure
    /// `1 h 5 min`.
    case duration
    case latitude, longitude, accuracy, speed, course, confidence
    /// Seconds, one sigma, `0.4 s`.
    case uncertainty
    /// The whole event as JSON.
    case json
  }

  /// Why a text is no template.
  package struct Invalid: Error, Sendable, Hashable {
    package var found: String
    package var expected: String
    package var advice: String?
  }

  private var parts: [Part]
  /// The text as written.
  package let source: String

  /// `{device} {verb} {where} at {time}`, for receivers without a message of their own.
  package static let standard = MessageTemplate(
    source: "{device} {verb} {where} at {time}",
    parts: [
      .field(.device), .text(" "), .field(.verb), .text(" "), .field(.where_), .text(" at "),
      .field(.time),
    ])

  private init(source: String, parts: [Part]) {
    self.source = source
    self.parts = parts
  }

  /// Parses a template.
  ///
  /// - Throws: ``Invalid`` for an unknown field, or a brace without its partner.
  package init(_ text: String) throws(Invalid) {
    source = text
    parts = []
    var plain = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        plain.append(rest.removeFirst())
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          throw Invalid(
            found: "'{' without '}'", expected: "a field such as {device}, or {{ for a brace")
        }
        let name = String(rest[..<end])
        guard let field = Field(rawValue: name) else { throw Self.unknown(name) }
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        parts.append(.field(field))
        rest = rest[rest.index(after: end)...]
      case "}":
        throw Invalid(
          found: "'}' without '{'", expected: "a field such as {device}, or }} for a brace")
      default: plain.append(character)
      }
    }
    if !plain.isEmpty { parts.append(.text(plain)) }
  }

  private static func unknown(_ name: String) -> Invalid {
    Invalid(
      found: "the unknown field '\(name)'",
      expected: "one of \(Field.allCases.map(\.rawValue).joined(separator: ", "))")
  }

  /// The text for an event; a field that the event does not have is empty.
  package func text(for delivery: Delivery, in zone: TimeZone) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field): field.text(of: delivery, in: zone)
      }
    }.joined()
  }
}
