public import CWaymark
internal import Formats
internal import Glibc
internal import Session
internal import Settings
internal import System
internal import Tracking

/// Rules with what is computed of them once.
final class RulesHandle: Sendable {
  let rules: Rules
  let fingerprint: UInt64

  init(_ rules: Rules) {
    self.rules = rules
    fingerprint = rules.fences.fingerprint
  }
}

/// The release of the library: one text for the whole process, which nobody frees.
private let version = StaticVersion()

/// A text that is made once and never changes.
private struct StaticVersion: @unchecked Sendable {
  // The memory is written here and only read afterwards.
  let text = UnsafePointer(Given.text(Release.version))
}

/// The release of the library.
@c @implementation
public func waymark_version() -> UnsafePointer<CChar>? { version.text }

/// Frees memory of the caller.
@c @implementation
public func waymark_free(_ memory: UnsafeMutableRawPointer?) { free(memory) }

/// Makes rules.
@c @implementation
public func waymark_rules_new(
  _ config: UnsafePointer<waymark_config>?, _ rules: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let result = try target(rules, "rules")
    result.pointee = Handle.make(RulesHandle(try RulesSource(config).rules()))
  }
}

/// Frees rules.
@c @implementation
public func waymark_rules_free(_ rules: OpaquePointer?) { Handle.release(rules) }

/// Gives the fences as columns.
@c @implementation
public func waymark_rules_fences(
  _ rules: OpaquePointer?, _ schema: UnsafeMutablePointer<ArrowSchema>?,
  _ array: UnsafeMutablePointer<ArrowArray>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let handle: RulesHandle = try Handle.object(rules, "rules")
    let (schema, array) = (try target(schema, "schema"), try target(array, "array"))
    ArrowTable(FenceColumns(handle.rules.fences).all).give(schema, array)
  }
}

/// Where rules come from.
private struct RulesSource {
  var path: String?
  var text: String?
  var fences: String?

  init(_ config: UnsafePointer<waymark_config>?) throws(Misuse) {
    guard let config else { return }
    guard config.pointee.size >= MemoryLayout<waymark_config>.size else {
      throw Misuse("config.size is \(config.pointee.size), expected sizeof(waymark_config)")
    }
    path = try Self.text(config.pointee.path, "config.path")
    text = try Self.text(config.pointee.text, "config.text")
    fences = try Self.text(config.pointee.fences, "config.fences")
    if path != nil, text != nil { throw Misuse("config has a path and a text, expected one") }
  }

  func rules() throws -> Rules {
    try settings().rules(adding: fences.map(Self.fences) ?? [])
  }

  private func settings() throws(ConfigurationError) -> Configuration {
    let (sections, others) = ([CSVSection.self], ["geocoder", "store", "deliver", "tiles"])
    if let path { return try Configuration(path: path, sections: sections, ignoring: others) }
    guard let text else { return Configuration() }
    return try Configuration(text: Array(text.utf8), sections: sections, ignoring: others)
  }

  private static func fences(_ text: String) throws -> [Fence] {
    try GeoJSON.fences(in: Array(text.utf8).span, path: "fences").enumerated().map {
      Fence(id: $1.id ?? "fence-\($0 + 1)", area: $1.area)
    }
  }

  private static func text(_ text: UnsafePointer<CChar>?, _ name: String) throws(Misuse) -> String?
  {
    guard let text else { return nil }
    guard let valid = String(validatingCString: text) else { throw Misuse("\(name) is no UTF-8") }
    return valid
  }
}
