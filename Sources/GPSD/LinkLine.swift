internal import Receivers
internal import Text

/// The meaning of one gpsd line for the connection; positions are decoded elsewhere.
enum LinkLine: Sendable, Hashable {
  /// A line of blanks.
  case blank
  /// A line that is not a JSON object.
  case junk
  case version(GPSDVersion)
  /// The answer to ?WATCH.
  case watch(isEnabled: Bool)
  /// The answer to ?DEVICES and, before the first report, a part of the answer to ?WATCH.
  case devices(isEmpty: Bool)
  /// A receiver was added or removed.
  case device
  case error(String)
  /// A line as a program writes it into a recording; gpsd sends none.
  case ownLine
  /// Any other object: a report of a receiver.
  case report

  /// Classifies a line, with or without its line feed.
  ///
  /// Only the class of a report is read, so a report costs next to nothing.
  init(_ line: Span<UInt8>) {
    var end = line.count
    while end > 0, line[end - 1] <= 0x20 { end -= 1 }
    var start = 0
    while start < end, line[start] <= 0x20 { start += 1 }
    guard start < end else {
      self = .blank
      return
    }
    let content = line.extracting(start..<end)
    let isObject = line[start] == UInt8(ascii: "{") && line[end - 1] == UInt8(ascii: "}")
    if isObject, Self.isPlainReport(content) {
      self = .report
    } else if SwiftGPSDReader.isOwnLine(content) {
      self = .ownLine
    } else {
      self = isObject ? (try? Self.read(content)) ?? .junk : .junk
    }
  }

  /// Whether the class comes first, as gpsd writes it, and is a frequent one.
  private static func isPlainReport(_ object: Span<UInt8>) -> Bool {
    guard begins(object, with: "{\"class\":\"") else { return false }
    let name = object.extracting(10..<object.count)
    return begins(name, with: "TPV\"") || begins(name, with: "SKY\"")
  }

  private static func begins(_ bytes: Span<UInt8>, with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count >= count else { return false }
    return text.withUTF8Buffer { text in
      for index in 0..<count where bytes[index] != text[index] { return false }
      return true
    }
  }

  /// Reads all members, as the class may come last.
  private static func read(_ object: Span<UInt8>) throws(JSONError) -> LinkLine {
    var scanner = JSONScanner()
    var members = Members()
    _ = try scanner.next(in: object)
    while let key = try scanner.nextKey(in: object) {
      let value = try scanner.nextValue(in: object)
      switch (key.string(in: object), value) {
      case ("class", .string(let text)): members.name = text.string(in: object)
      case ("release", .string(let text)): members.release = text.string(in: object)
      case ("message", .string(let text)): members.message = text.string(in: object)
      case ("proto_major", .number(let number)): members.major = whole(number, object)
      case ("proto_minor", .number(let number)): members.minor = whole(number, object)
      case ("enable", .bool(let isEnabled)): members.isEnabled = isEnabled
      case ("devices", .beginArray):
        let first = try scanner.nextValue(in: object)
        members.hasDevices = first != nil
        try scanner.skipRest(of: first, in: object)
        if first != nil { try scanner.skipRest(of: value, in: object) }
      default: try scanner.skipRest(of: value, in: object)
      }
    }
    _ = try scanner.next(in: object)
    return members.line
  }

  private static func whole(_ number: JSONSlice, _ object: Span<UInt8>) -> Int {
    number.number(in: object).flatMap { Int(exactly: $0) } ?? 0
  }

  private struct Members {
    var name = ""
    var release = "unknown"
    var message = "an error without a message"
    var (major, minor) = (0, 0)
    var isEnabled = true
    var hasDevices = false

    var line: LinkLine {
      switch name {
      case "VERSION":
        let release = String(release.withoutControls.prefix(Self.longestText))
        return .version(GPSDVersion(release: release, major: major, minor: minor))
      case "WATCH": return .watch(isEnabled: isEnabled)
      case "DEVICES": return .devices(isEmpty: !hasDevices)
      case "DEVICE": return .device
      case "ERROR": return .error(String(message.withoutControls.prefix(Self.longestText)))
      default: return .report
      }
    }

    /// The most characters of a gpsd text in a message; gpsd's own texts are shorter.
    static let longestText = 200
  }
}
