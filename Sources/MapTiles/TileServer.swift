/// A server of map tiles: the form of their URLs.
package struct TileServer: Sendable, Hashable {
  /// The URL of a tile, with `{z}`, `{x}` and `{y}` for its zoom, column and row from the north.
  package let template: String
  /// Scheme, host and port: what a page may request.
  package let origin: String

  /// The largest zoom that is requested; larger ones show its tiles enlarged.
  package static let largestZoom = 19

  /// Nil when the text is no URL of this form.
  ///
  /// The origin becomes a part of the page's content security policy, so it has letters, digits and
  /// dots only, and no user.
  package init?(_ text: String) {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
    let host = text.dropFirst(scheme.count).prefix { $0 != "/" }
    guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfHost) else { return nil }
    var path = text.dropFirst(scheme.count + host.count)
    for part in ["{z}", "{x}", "{y}"] {
      guard let place = path.firstRange(of: part) else { return nil }
      path.replaceSubrange(place, with: "0")
    }
    guard path.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !path.contains("{") else {
      return nil
    }
    (template, origin) = (text, scheme + host)
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
