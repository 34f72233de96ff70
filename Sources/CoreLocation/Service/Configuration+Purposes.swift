internal import Services

extension LocationService.Configuration {
  /// The purpose strings of the program: why it needs locations, as in an Info.plist.
  public struct Purposes: Sendable, Hashable {
    /// Why it needs them while it is in use (`NSLocationWhenInUseUsageDescription`).
    public var whenInUse: String?
    /// Why it needs them at any time (`NSLocationAlwaysAndWhenInUseUsageDescription`).
    ///
    /// A request for any time also needs ``whenInUse``.
    public var always: String?
    /// Why it needs full accuracy temporarily, by purpose key
    /// (`NSLocationTemporaryUsageDescriptionDictionary`).
    public var temporaryFullAccuracy: [String: String]
    /// Whether locations are coarse unless the user decides otherwise
    /// (`NSLocationDefaultAccuracyReduced`).
    public var defaultsToReducedAccuracy: Bool
    /// Whether streams request no permission by themselves (`NSLocationRequireExplicitServiceSession`).
    public var requiresExplicitSession: Bool

    /// Makes purposes in code; an empty text counts as missing.
    public init(
      whenInUse: String? = nil, always: String? = nil,
      temporaryFullAccuracy: [String: String] = [:],
      defaultsToReducedAccuracy: Bool = false, requiresExplicitSession: Bool = false
    ) {
      self.whenInUse = whenInUse
      self.always = always
      self.temporaryFullAccuracy = temporaryFullAccuracy
      self.defaultsToReducedAccuracy = defaultsToReducedAccuracy
      self.requiresExplicitSession = requiresExplicitSession
    }

    /// Reads the purposes from a property list, XML or binary, such as an Info.plist.
    ///
    /// Other keys are ignored.
    /// - Throws: ``LocationServiceError`` if there is no such file, or it is not a property list.
    public init(propertyList path: String) throws(LocationServiceError) {
      do throws(PurposeError) {
        let strings = try PurposeStrings(path: path)
        self.init(
          whenInUse: strings.whenInUse, always: strings.always,
          temporaryFullAccuracy: strings.temporaryFullAccuracy,
          defaultsToReducedAccuracy: strings.defaultsToReducedAccuracy,
          requiresExplicitSession: strings.requiresExplicitSession)
      } catch {
        throw .configuration(error.description)
      }
    }
  }
}

extension PurposeStrings {
  init(_ purposes: LocationService.Configuration.Purposes) {
    self.init(
      whenInUse: purposes.whenInUse, always: purposes.always,
      temporaryFullAccuracy: purposes.temporaryFullAccuracy,
      defaultsToReducedAccuracy: purposes.defaultsToReducedAccuracy,
      requiresExplicitSession: purposes.requiresExplicitSession)
  }
}
