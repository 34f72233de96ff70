package import Receivers
internal import Session

/// The source of a program's fixes.
package enum SourceDescription: Sendable, Hashable {
  /// A receiver behind gpsd.
  case gpsd(GPSDAddress)
  /// A recording, played at `speed` trace seconds a second; nil for as fast as possible.
  case trace(path: String, speed: Double?)
  /// No source.
  case none

  /// Reads `gpsd://HOST[:PORT][/DEVICE]`, `none`, or `PATH[?speed=N|max]`.
  ///
  /// Without a speed a trace is played in real time. It does not check whether the file or gpsd is there.
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
    guard mark < text.endIndex else { return .trace(path: path, speed: 1) }
    let options = text[mark...]
    guard options.hasPrefix(speedKey),
      let speed = PlaySpeed(argument: String(options.dropFirst(speedKey.count)))
    else { throw .options(found: String(options)) }
    return .trace(path: path, speed: speed.factor)
  }

  private static let speedKey = "?speed="
}
