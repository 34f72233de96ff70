internal import FoundationEssentials
internal import Glibc
internal import System

/// The reasons that a program gives for its location requests; without a reason there is no prompt.
package struct PurposeStrings: Sendable, Hashable {
  /// The reason for the location while it is in use.
  package var whenInUse: String?
  /// The reason for the location at any time.
  package var always: String?
  /// The reasons for temporary full accuracy, by purpose key.
  package var temporaryFullAccuracy: [String: String]
  /// Whether the accuracy is reduced until the user chooses otherwise.
  package var defaultsToReducedAccuracy: Bool
  /// Whether streams request nothing by themselves and need a service session.
  package var requiresExplicitSession: Bool

  /// Sets purposes in code.
  package init(
    whenInUse: String? = nil, always: String? = nil, temporaryFullAccuracy: [String: String] = [:],
    defaultsToReducedAccuracy: Bool = false, requiresExplicitSession: Bool = false
  ) {
    self.whenInUse = whenInUse
    self.always = always
    self.temporaryFullAccuracy = temporaryFullAccuracy
    self.defaultsToReducedAccuracy = defaultsToReducedAccuracy
    self.requiresExplicitSession = requiresExplicitSession
  }

  /// The purposes in a property list, XML or binary, such as an Info.plist; other keys are skipped.
  package init(path: String) throws(PurposeError) {
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.read(path)
    } catch {
      throw error.code == ENOENT ? .missing(path: path) : .unreadable(path, error.reason)
    }
    do {
      self = try PropertyListDecoder().decode(PurposeStrings.self, from: Data(bytes))
    } catch {
      throw .invalid(path: path, Self.reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    guard case DecodingError.typeMismatch(let type, let context) = error,
      let place = context.codingPath.last
    else { return "not a property list" }
    return "expected \(type == Bool.self ? "true or false" : "a text") for '\(place.stringValue)'"
  }

  /// The purpose for a prompt, or the key under which it is missing.
  func purpose(of kind: Prompt.Kind) -> Result<String, MissingPurpose> {
    switch kind {
    case .whenInUse: Self.found(whenInUse, .whenInUse)
    case .always, .upgrade:
      // Both requests need whenInUse, and a request for always needs the other key too.
      Self.found(whenInUse, .whenInUse).flatMap { _ in Self.found(always, .always) }
    case .confirmation: .success(always ?? whenInUse ?? "")
    case .fullAccuracy(let key):
      Self.found(temporaryFullAccuracy[key], .temporary, entry: key)
    }
  }

  /// An empty purpose counts as missing.
  private static func found(
    _ text: String?, _ key: Key, entry: String? = nil
  ) -> Result<String, MissingPurpose> {
    guard let text, !text.isEmpty else {
      return .failure(MissingPurpose(key: key.rawValue, entry: entry))
    }
    return .success(text)
  }
}

/// A purpose that the program does not give.
struct MissingPurpose: Error, Hashable, CustomStringConvertible {
  var key: String
  /// The key in the dictionary of that name.
  var entry: String?

  var description: String {
    let place = entry.map { "'\($0)' in \(key)" } ?? key
    return
      "the user is not prompted, because the purpose \(place) is missing; add it to the property "
      + "list that WAYMARK_PURPOSES names (an Info.plist), or in code to purposes of a "
      + "LocationService.Configuration"
  }
}

/// Why the purposes of a program cannot be read.
package enum PurposeError: Error, Sendable, Hashable, CustomStringConvertible {
  case missing(path: String)
  case unreadable(String, String)
  case invalid(path: String, String)

  /// What is wrong, in one sentence.
  package var description: String {
    switch self {
    case .missing(let path): "\(path): no such property list"
    case .unreadable(let path, let reason): "\(path): cannot read the purposes: \(reason)"
    case .invalid(let path, let reason): "\(path): \(reason); expected an Info.plist"
    }
  }
}

extension PurposeStrings: Decodable {
  enum Key: String, CodingKey {
    case whenInUse = "NSLocationWhenInUseUsageDescription"
    case always = "NSLocationAlwaysAndWhenInUseUsageDescription"
    /// The key of macOS, which stands for both.
    case both = "NSLocationUsageDescription"
    case temporary = "NSLocationTemporaryUsageDescriptionDictionary"
    case reduced = "NSLocationDefaultAccuracyReduced"
    case explicit = "NSLocationRequireExplicitServiceSession"
    case explicitInHeaders = "CLRequireExplicitServiceSession"
  }

  /// Reads the keys of Core Location.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    // An empty purpose counts as missing.
    func text(_ key: Key) throws -> String? {
      let text = try values.decodeIfPresent(String.self, forKey: key)
      return text?.isEmpty == true ? nil : text
    }
    func flag(_ key: Key) throws -> Bool {
      try values.decodeIfPresent(Bool.self, forKey: key) ?? false
    }
    let both = try text(.both)
    self.init(
      whenInUse: try text(.whenInUse) ?? both, always: try text(.always) ?? both,
      temporaryFullAccuracy: try values.decodeIfPresent(
        [String: String].self, forKey: .temporary) ?? [:],
      defaultsToReducedAccuracy: try flag(.reduced),
      requiresExplicitSession: try flag(.explicit) || flag(.explicitInHeaders))
  }
}
