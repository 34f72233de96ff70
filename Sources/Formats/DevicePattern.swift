/// Where in the path of a track the name of its device is, such as `{device}/*` or `{device}-*.gpx`.
///
/// `*` is any text without a slash. The pattern stands for the end of the path, by whole names.
package struct DevicePattern: Sendable, Hashable, CustomStringConvertible {
  private enum Piece: Hashable {
    case text(String)
    case any
    case device
  }

  /// As the user wrote it.
  package let description: String
  /// One for each name of the path.
  private let parts: [[Piece]]

  /// Why a text is no pattern: a sentence without its subject.
  package struct Failure: Error, Sendable, Hashable {
    package let reason: String
  }

  package init(_ text: String) throws(Failure) {
    description = text
    parts = text.split(separator: "/").map(Self.pieces)
    let count = parts.joined().count { $0 == .device }
    guard count != 1 else { return }
    throw Failure(
      reason: (count == 0 ? "has no {device}" : "has {device} more than once")
        + "; expected a pattern such as '{device}/*' or '{device}-*.gpx'")
  }

  private static func pieces(_ part: Substring) -> [Piece] {
    var pieces: [Piece] = []
    var rest = part
    while let first = rest.first {
      if rest.hasPrefix("{device}") {
        pieces.append(.device)
        rest = rest.dropFirst("{device}".count)
      } else if first == "*" {
        pieces.append(.any)
        rest = rest.dropFirst()
      } else {
        let plain = rest.dropFirst().prefix { $0 != "*" && $0 != "{" }
        pieces.append(.text("\(first)\(plain)"))
        rest = rest.dropFirst(plain.count + 1)
      }
    }
    return pieces
  }

  /// The name in a path; nil when the path does not match.
  package func device(in path: String) -> String? {
    let names = path.split(separator: "/")
    guard names.count >= parts.count else { return nil }
    var device: Substring?
    for (part, name) in zip(parts, names.suffix(parts.count)) {
      guard Self.matches(part[...], name, &device) else { return nil }
    }
    return device.map(String.init)
  }

  /// Whether a name matches; of several ways, the first texts are the shortest.
  private static func matches(
    _ pieces: ArraySlice<Piece>, _ name: Substring, _ device: inout Substring?
  ) -> Bool {
    guard let piece = pieces.first else { return name.isEmpty }
    let others = pieces.dropFirst()
    if case .text(let text) = piece {
      return name.hasPrefix(text) && matches(others, name.dropFirst(text.count), &device)
    }
    var end = name.startIndex
    while true {
      let isEnough = piece == .any || end > name.startIndex
      if isEnough, matches(others, name[end...], &device) {
        if piece == .device { device = name[..<end] }
        return true
      }
      guard end < name.endIndex else { return false }
      end = name.index(after: end)
    }
  }
}
