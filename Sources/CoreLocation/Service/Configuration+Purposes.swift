internal import Services

extension LocationService.Configuration {
  /// Why the program wants places, in its own words, as an Info.plist says it.
  public struct Purposes: Sendable, Hashable {
    /// Why it wants them while it is in use (`NSLocationWhenInUseUsageDescription`).
    public var whenInUse: String?
    /// Why it wants them at any time (`NSLocationAlwaysAndWhenInUseUsageDescription`).
    ///
    /// To ask for that, the other one is needed as well.
    public var always: String?
    /// Why it wants them exactly for a while, by purpose key
    /// (`NSLocationTemporaryUsageDescriptionDictionary`).
    public var temporaryFullAccuracy: [String: String]
    /// Whether places are coarse until the user says otherwise (`NSLocationDefaultAccuracyReduced`).
    public var defaultsToReducedAccuracy: Bool
    /// Whether streams ask for nothing by themselves (`NSLocationRequireExplicitServiceSession`).
    public var requiresExplicitSession: Bool

    /// Gives purposes in code; an empty text is as good as none.
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

    /// Reads the purposes of a property list, XML or binary, such as an Info.plist.
    ///
    /// Keys that have nothing to do with places are passed over.
    /// - Throws: ``LocationServiceError`` when there is no such file, or it is no property list.
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
