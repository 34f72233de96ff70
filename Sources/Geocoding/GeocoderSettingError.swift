/// An invalid setting of a geocoder.
public struct GeocoderSettingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the setting, such as `server`.
  public let setting: String
  /// What was found and what was expected.
  public let reason: String

  /// The setting and the reason, as a sentence without its full stop.
  public var description: String { "\(setting): \(reason)" }

  init(_ setting: String, _ reason: String) {
    self.setting = setting
    self.reason = reason
  }
}
