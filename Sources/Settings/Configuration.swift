package import Foundation
package import Receivers
package import Session
package import Tracking

/// The validated settings of a config file.
package struct Configuration: Sendable, Hashable {
  /// A fence, and what else the config has about it.
  package struct FenceEntry: Sendable, Hashable {
    package var fence: Fence
    /// The place of its id, or of the fence in an included file.
    package var place: ConfigurationPlace
    /// Whether an edge spans more than 180 degrees of longitude as written.
    package var spansWideEdge: Bool
  }

  /// A gpsd to watch, or a receiver of it.
  package struct Source: Sendable, Hashable {
    package var address: GPSDAddress
    /// The name of its device in events; the host when there is one source, if the config gives none.
    package var device: String?
    /// The most ships of its gpsd that are devices too; nil when ships are not devices.
    ///
    /// The one heard least recently is forgotten for a new one.
    package var ships: Int?
    /// Whether positions that its gpsd calls simulated are used.
    package var allowsSimulated = false

    /// The most ships unless the config says otherwise.
    package static let mostShips = 5_000

    package init(address: GPSDAddress, device: String? = nil) {
      self.address = address
      self.device = device
    }
  }

  /// A source whose devices appear while it is watched.
  package struct Inlet: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// A server that phones report to. Without a file with its token, only this machine reaches it.
      case http(ListenAddress, tokenFile: String?)
      /// A broker that phones publish at, and filters of the topics.
      case mqtt(BrokerSettings, topics: [String])
    }

    package var kind: Kind
    /// The most devices: the one heard least recently is forgotten for a new one.
    package var most = 5_000

    package init(_ kind: Kind) { self.kind = kind }

    /// Where it takes reports, for messages and recordings.
    package var address: String {
      switch kind {
      case .http(let address, _): "http://\(address)"
      case .mqtt(let broker, _): broker.address
      }
    }
  }

  /// The device name for events; nil for the name in the input.
  package var device: String?
  /// The sources to watch; none when the config has none.
  package var sources: [Source] = []
  /// The sources whose devices appear while they are watched.
  package var inlets: [Inlet] = []
  /// The brokers among them.
  package var brokers: [BrokerSettings] {
    inlets.compactMap { if case .mqtt(let broker, _) = $0.kind { broker } else { nil } }
  }
  /// How times are shown to people, such as in messages; nil when the config does not say.
  package var timeZone: TimeZone?
  /// The fences in the order of the file, with those of an included file at its position.
  package var entries: [FenceEntry] = []
  /// The fences that fixes place: `center: here`.
  package var anchors: [AnchorPlan] = []
  /// The fences of ``anchors`` with their places; where they lie is not known.
  var anchorEntries: [FenceEntry] = []
  /// Compiled fences that the config includes.
  package var compiled: [FenceSet] = []
  /// The paths of ``compiled``.
  var compiledFiles: [String] = []
  /// The paths of the included files.
  package var included: [String] = []
  /// What counts as a visit; nil for no visits.
  package var visits: VisitRules? = VisitRules()
  /// What counts as a significant change; nil for none.
  package var significantChanges: SignificantChangeRules? = SignificantChangeRules()
  /// Which fixes are accepted.
  package var gate = GateLimits()
  /// How long a silent device is taken to be where it was, seconds (``Rules/memory``).
  package var memory = Rules().memory
  /// The settings of the sections, by key.
  var sections: [String: ConfigurationSectionValue] = [:]
  /// The places of the settings other than fences, by key path.
  var places: [String: ConfigurationPlace] = [:]

  /// The defaults, without a config.
  package init() {}

  /// The fences in the order of the file.
  package var fences: [Fence] { entries.map(\.fence) }

  /// The rules for the engine; `more` fences are added to those of the config.
  package func rules(adding more: [Fence] = []) throws(FenceSetError) -> Rules {
    var rules = Rules(fences: try set(adding: more))
    rules.visits = visits
    rules.significantChanges = significantChanges
    rules.gate = gate
    rules.memory = memory
    return rules
  }

  /// All fences: those of the config, compiled ones and `more`.
  ///
  /// A single compiled set is used directly, without a copy.
  private func set(adding more: [Fence]) throws(FenceSetError) -> FenceSet {
    if entries.isEmpty, more.isEmpty, compiled.count == 1 { return compiled[0] }
    // Ids differ in what they look like; the builder compares their bytes.
    var ids = Set<String>()
    for fence in more where !ids.insert(fence.id).inserted { throw .duplicateID(fence.id) }
    var builder = FenceSet.Builder()
    for fence in entries.lazy.map(\.fence) { try builder.append(fence, besides: ids) }
    for set in compiled {
      for fence in set { try builder.append(fence, besides: ids) }
    }
    for fence in more { try builder.append(fence) }
    return try builder.build()
  }

  /// Where the fence with an id is; nil when there is none.
  package func place(ofFence id: String) -> ConfigurationPlace? {
    if let entry = (entries + anchorEntries).first(where: { $0.fence.id == id }) {
      return entry.place
    }
    for (file, fences) in zip(compiledFiles, compiled)
    where fences.indices.contains(where: { fences.id(at: $0) == id }) {
      return ConfigurationPlace(file: file)
    }
    return nil
  }
}

extension FenceSet.Builder {
  /// Adds a fence whose id is none of others.
  fileprivate mutating func append(
    _ fence: Fence, besides ids: Set<String>
  ) throws(FenceSetError) {
    guard !ids.contains(fence.id) else { throw .duplicateID(fence.id) }
    try append(fence)
  }
}
