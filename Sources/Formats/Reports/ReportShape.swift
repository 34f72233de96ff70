internal import Text

/// What the members of a JSON message show: whose it is, and the parts that matter.
struct ReportShape {
  enum Kind: Equatable {
    /// A message of OwnTracks, of a type.
    case ownTracks(type: String)
    /// GeoJSON in `locations`, as Overland sends it.
    case overland
    /// A position in `position`, as Traccar forwards it.
    case traccar(position: Range<Int>)
  }

  private(set) var kind: Kind?
  /// The names of a `device`, that of the lowest rank first.
  private(set) var device: String?

  /// Reads all of the message, which must be one valid object.
  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var scanner = JSONScanner.replacingHalfPairs()
    guard try scanner.next(in: bytes) == .beginObject else {
      throw JSONError(offset: scanner.tokenOffset, message: "expected an object")
    }
    while let key = try scanner.nextKey(in: bytes) {
      if key.equals("device", in: bytes) {
        try readDevice(&scanner, bytes)
        continue
      }
      let value = try scanner.nextValue(in: bytes)
      let start = scanner.tokenOffset
      try scanner.skipRest(of: value, in: bytes)
      if key.equals("_type", in: bytes), case .string(let type)? = value {
        kind = .ownTracks(type: type.string(in: bytes))
      } else if key.equals("locations", in: bytes), value == .beginArray {
        kind = kind ?? .overland
      } else if key.equals("position", in: bytes), value == .beginObject {
        kind = kind ?? .traccar(position: start..<scanner.offset)
      }
    }
    _ = try scanner.next(in: bytes)
  }

  /// Reads the device of a message of Traccar: `uniqueId`, else `name`.
  private mutating func readDevice(
    _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) {
    let value = try scanner.nextValue(in: bytes)
    guard value == .beginObject else { return try scanner.skipRest(of: value, in: bytes) }
    var (unique, name): (String?, String?)
    while let key = try scanner.nextKey(in: bytes) {
      let value = try scanner.nextValue(in: bytes)
      try scanner.skipRest(of: value, in: bytes)
      let text = value?.plainBytes(bytes) { $0.string }
      if key.equals("uniqueId", in: bytes) { unique = text }
      if key.equals("name", in: bytes) { name = text }
    }
    device = unique ?? name
  }
}
