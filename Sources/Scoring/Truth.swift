package import Text

/// One simulated device.
package struct ScoredDevice: Sendable, Hashable {
  package let name: String
  package let split: String
  let regime: String
  let profile: String
  /// Seconds between fixes by the receiver's setting.
  let interval: Double
  let days: Double
  /// Seconds since 1970.
  let start: Double
  let end: Double
  /// Time of the first fix that arrives.
  let firstFix: Double

  package var exactName: ExactText { ExactText(name) }
}

/// The ground truth of a simulation, as read from its files.
///
/// Times are seconds since 1970.
package struct Truth: Sendable {
  struct Visit: Sendable {
    let arrival: Double
    let departure: Double
    let position: SphericalPosition
    let isRequired: Bool
    /// Whether the simulation begins, or ends, during the stay.
    let isClippedAtStart: Bool
    let isClippedAtEnd: Bool
  }

  struct Crossing: Sendable {
    let kind: String
    let first: Double
    let last: Double
    let isRequired: Bool
    let fixBefore: Double?
    let fixAfter: Double?
    let beginsInside: Bool
  }

  struct Fence: Sendable {
    let id: String
    let position: SphericalPosition
    let radius: Double
    let why: String
  }

  struct TrackPoint: Sendable {
    let time: Double
    let position: SphericalPosition
  }

  package struct Key: Hashable, Sendable {
    package let device: ExactText
    package let fence: String
  }

  package internal(set) var devices: [ScoredDevice] = []
  var visits: [ExactText: [Visit]] = [:]
  var crossings: [Key: [Crossing]] = [:]
  var fences: [ExactText: [Fence]] = [:]
  var tracks: [ExactText: [TrackPoint]] = [:]

  /// The truth of some of the devices, and of one fence if it is named.
  package func only(_ names: Set<ExactText>, fence: String? = nil) -> Truth {
    var part = self
    part.devices.removeAll { !names.contains($0.exactName) }
    guard let fence else { return part }
    part.fences = fences.mapValues { $0.filter { $0.id == fence } }
    part.devices.removeAll { part.fences[$0.exactName]?.isEmpty ?? true }
    return part
  }
}

/// The devices to score.
package enum DatasetSplit: String, Sendable, CaseIterable {
  /// Those for tuning, those for testing, all.
  case train, test, all

  func contains(_ device: ScoredDevice) -> Bool { self == .all || rawValue == device.split }
}

/// What scores are grouped by.
package enum Grouping: String, Sendable, CaseIterable {
  /// The sampling of the receiver.
  case regime
  /// The person's way of life.
  case profile
  /// Why a fence is where it is.
  case why

  /// The group of a device, nil when the group is a property of the fence.
  func group(of device: ScoredDevice) -> String? {
    switch self {
    case .regime: device.regime
    case .profile: device.profile
    case .why: nil
    }
  }
}
