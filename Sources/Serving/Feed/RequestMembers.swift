internal import Text

/// Iterates over the members of the object after `?WATCH=` or `?DEVICE=`.
///
/// Callers skip unknown members, because versions of gpsd differ in them. The text must be one whole
/// object.
struct RequestMembers {
  private var scanner = JSONScanner()

  init(_ bytes: Span<UInt8>) throws(JSONError) {
    guard try scanner.next(in: bytes) == .beginObject else {
      throw JSONError(offset: 0, message: "expected an object in braces")
    }
  }

  /// The name and value of the next member; nil after the last one.
  mutating func next(_ bytes: Span<UInt8>) throws(JSONError) -> (key: String, value: JSONToken)? {
    guard let key = try scanner.nextKey(in: bytes) else {
      // Nothing may follow the object.
      _ = try scanner.next(in: bytes)
      return nil
    }
    guard let value = try scanner.nextValue(in: bytes) else { return nil }
    try scanner.skipRest(of: value, in: bytes)
    return (key.string(in: bytes), value)
  }
}

extension PolicyChange {
  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var members = try RequestMembers(bytes)
    while let (key, value) = try members.next(bytes) {
      switch key {
      case "enable": enable = try value.flag(key)
      case "json": json = try value.flag(key)
      case "nmea": nmea = try value.flag(key)
      case "raw": raw = try value.level(key, bytes)
      case "scaled": scaled = try value.flag(key)
      case "timing": timing = try value.flag(key)
      case "split24": split24 = try value.flag(key)
      case "pps": pps = try value.flag(key)
      case "device": device = try value.text(key, bytes)
      default: break
      }
    }
  }
}

/// The path in the object after `?DEVICE=`; its other members have no effect.
struct DeviceQuery {
  var path: String?

  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var members = try RequestMembers(bytes)
    while let (key, value) = try members.next(bytes) {
      if key == "path" { path = try value.text(key, bytes) }
    }
  }
}

extension JSONToken {
  fileprivate func flag(_ key: String) throws(JSONError) -> Bool {
    guard case .bool(let flag) = self else { throw wrong(key, "true or false") }
    return flag
  }

  fileprivate func level(_ key: String, _ bytes: Span<UInt8>) throws(JSONError) -> Int {
    guard case .number(let slice) = self, let number = slice.number(in: bytes),
      let level = Int(exactly: number), 0...2 ~= level
    else { throw wrong(key, "0, 1 or 2") }
    return level
  }

  fileprivate func text(_ key: String, _ bytes: Span<UInt8>) throws(JSONError) -> String {
    guard case .string(let slice) = self else { throw wrong(key, "text in quotes") }
    return slice.string(in: bytes)
  }

  private func wrong(_ key: String, _ expected: String) -> JSONError {
    JSONError(offset: 0, message: "\(key) is \(description), expected \(expected)")
  }
}

extension StringProtocol {
  /// Without blanks at both ends.
  var trimmingBlanks: String {
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
