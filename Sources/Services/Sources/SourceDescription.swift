package import Receivers
internal import Session

/// The source of a program's fixes.
package enum SourceDescription: Sendable, Hashable {
  /// A receiver behind gpsd.
  case gpsd(GPSDAddress)
  /// A recording: a file, or the files in a folder or an archive.
  ///
  /// It is played at `speed` trace seconds a second; nil for as fast as possible. `device` is the one
  /// that is played, nil for the first. If `isNow`, its first fix has the time at which it is played,
  /// and all others keep their distance from it.
  case trace(path: String, speed: Double?, device: String? = nil, isNow: Bool = false)
  /// No source.
  case none

  /// Reads `gpsd://HOST[:PORT][/DEVICE]`, `none`, or a path, with options such as
  /// `?speed=10&device=van&time=recorded`.
  ///
  /// Without a speed a trace is played in real time, and unless it is played as fast as possible, as if
  /// it was recorded now. It does not check whether the file or gpsd is there.
  ///
  /// - Throws: ``SourceError``.
  package init(parsing text: String) throws(SourceError) {
    if text.isEmpty { throw .empty }
    if text == "none" {
      self = .none
    } else if text.hasPrefix("gpsd:") {
      self = .gpsd(try Self.address(text))
    } else if text.contains("://") {
      throw .otherScheme(found: text)
    } else {
      self = try Self.trace(text)
    }
  }

  private static func address(_ text: String) throws(SourceError) -> GPSDAddress {
    do throws(GPSDAddressError) {
      return try GPSDAddress(parsing: text)
    } catch {
      throw .address(error)
    }
  }

  private static func trace(_ text: String) throws(SourceError) -> SourceDescription {
    let mark = text.lastIndex(of: "?") ?? text.endIndex
    let path = String(text[..<mark])
    if path.isEmpty { throw .empty }
    if path == "-" { throw .standardInput }
    var options = TraceOptions()
    if mark < text.endIndex {
      for option in text[mark...].dropFirst().split(
        separator: "&", omittingEmptySubsequences: false)
      {
        guard options.set(option) else { throw .options(found: String(text[mark...])) }
      }
    }
    let speed = options.speed ?? .times(1)
    return .trace(
      path: path, speed: speed.factor, device: options.device,
      isNow: options.isNow ?? (speed != .max))
  }
}

/// The options of a recording, each of which is given at most once.
private struct TraceOptions {
  var speed: PlaySpeed?
  var device: String?
  var isNow: Bool?

  /// Takes `KEY=VALUE`; false if it is unknown, invalid or given twice.
  mutating func set(_ option: Substring) -> Bool {
    let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { return false }
    switch (parts[0], parts[1]) {
    case ("speed", let value) where speed == nil:
      speed = PlaySpeed(argument: String(value))
      return speed != nil
    case ("device", let value) where device == nil: device = String(value)
    case ("time", "now") where isNow == nil: isNow = true
    case ("time", "recorded") where isNow == nil: isNow = false
    default: return false
    }
    return true
  }
}
