/// One device of a made-up world.
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
  /// Of the first fix that comes.
  let firstFix: Double
}

/// What truly happened, as the files of a made-up world tell it.
///
/// Times are seconds since 1970.
package struct Truth: Sendable {
  struct Visit: Sendable {
    let arrival: Double
    let departure: Double
    let place: Spot
    let isRequired: Bool
    /// Whether the world begins, or ends, during the stay.
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
    let place: Spot
    let radius: Double
    let why: String
  }

  struct TrackPoint: Sendable {
    let time: Double
    let place: Spot
  }

  struct Key: Hashable, Sendable {
    let device: String
    let fence: String
  }

  package internal(set) var devices: [ScoredDevice] = []
  var visits: [String: [Visit]] = [:]
  var crossings: [Key: [Crossing]] = [:]
  var fences: [String: [Fence]] = [:]
  var tracks: [String: [TrackPoint]] = [:]
}

/// Which devices count.
package enum Split: String, Sendable, CaseIterable {
  /// Those for tuning, those for the proof, all.
  case train, test, all

  func holds(_ device: ScoredDevice) -> Bool { self == .all || rawValue == device.split }
}

/// By what scores are told apart.
package enum Grouping: String, Sendable, CaseIterable {
  /// The sampling.
  case regime
  /// Whose days.
  case profile
  /// Why a fence is where it is.
  case why

  /// The group of a device, nil when it is told by fence.
  func group(of device: ScoredDevice) -> String? {
    switch self {
    case .regime: device.regime
    case .profile: device.profile
    case .why: nil
    }
  }
}
