internal import Text

/// The offsets of the relevant members of a GeoJSON object.
///
/// Members come in any order, so a first pass finds them and later ones read them in the order that
/// they need; however deep, a byte is read no more than six times.
struct GeoJSONObject {
  enum Member: Int, CaseIterable {
    case type, id, name, radius, geometry, properties, features, coordinates
  }

  /// The offset of the object.
  let start: Int
  private var offsets: InlineArray<8, Int>
  /// What stands in place of the offset of a member that is missing, or null.
  private static var missing: Int { -1 }
  private static var null: Int { -2 }

  /// Finds the members of the object at `offset`; one that it has twice is an error.
  init(_ bytes: Span<UInt8>, at offset: Int) throws(JSONError) {
    offsets = InlineArray(repeating: Self.missing)
    var scanner = JSONScanner(at: offset)
    let token = try scanner.next(in: bytes)
    start = scanner.tokenOffset
    guard let token, token == .beginObject else {
      let found = token?.description ?? "nothing"
      throw JSONError(offset: start, message: "found \(found), expected a GeoJSON object")
    }
    while let key = try scanner.nextKey(in: bytes) {
      let place = scanner.tokenOffset
      let value = try scanner.nextValue(in: bytes)
      if let member = Self.member(key, bytes) {
        guard offsets[member.rawValue] == Self.missing else {
          throw JSONError(
            offset: place, message: "found the key a second time, expected it once")
        }
        offsets[member.rawValue] = value == .null ? Self.null : scanner.tokenOffset
      }
      try scanner.skipRest(of: value, in: bytes)
    }
  }

  /// The offset of the value of `member`; nil when it is missing or null.
  func offset(of member: Member) -> Int? {
    let offset = offsets[member.rawValue]
    return offset < 0 ? nil : offset
  }

  /// The value of `member`; nil when it is missing or null.
  func value(of member: Member, _ bytes: Span<UInt8>) throws(JSONError) -> JSONToken? {
    guard let offset = offset(of: member) else { return nil }
    var scanner = JSONScanner(at: offset)
    return try scanner.next(in: bytes)
  }

  /// The object's type.
  func type(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    if case .string(let slice) = try value(of: .type, bytes) { return slice.string(in: bytes) }
    throw JSONError(
      offset: offset(of: .type) ?? start, message: "there is no type, expected a GeoJSON object")
  }

  private static func member(_ key: JSONSlice, _ bytes: Span<UInt8>) -> Member? {
    for (name, member) in names where key.equals(name, in: bytes) { return member }
    return nil
  }

  private static let names: [(StaticString, Member)] = [
    ("type", .type), ("id", .id), ("name", .name), ("radius", .radius), ("geometry", .geometry),
    ("properties", .properties), ("features", .features), ("coordinates", .coordinates),
  ]
}
