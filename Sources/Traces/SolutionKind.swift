internal import Estimation

/// How a receiver found a position, with the numbers of gpsd_json(5), TPV, `status`.
///
/// The engine treats all of them alike but the simulated ones, which the readers refuse unless the user
/// allows them.
@usableFromInline
package enum SolutionKind: UInt8, Sendable, Hashable, CaseIterable {
  /// A plain solution, or one of which the source says no more; gpsd leaves it out.
  case plain = 1
  case differential
  case rtkFixed
  case rtkFloat
  case deadReckoning
  /// Satellites and dead reckoning together.
  case combined
  /// A surveyed position, or one that a person has given.
  case surveyed
  case simulated
  /// The military signal.
  case precise

  /// The kind of a `status` of gpsd; a number that gpsd does not have is a plain solution.
  package init(status: Int) {
    self = UInt8(exactly: status).flatMap(SolutionKind.init(rawValue:)) ?? .plain
  }

  /// For programs: `info --json` and the status file.
  package var word: String {
    switch self {
    case .plain: "plain"
    case .differential: "differential"
    case .rtkFixed: "rtk-fixed"
    case .rtkFloat: "rtk-float"
    case .deadReckoning: "dead-reckoning"
    case .combined: "gnss-dead-reckoning"
    case .surveyed: "surveyed"
    case .simulated: "simulated"
    case .precise: "precise"
    }
  }

  /// For people.
  package var readable: String {
    switch self {
    case .rtkFixed: "RTK fixed"
    case .rtkFloat: "RTK float"
    case .deadReckoning: "dead reckoning"
    case .combined: "GNSS with dead reckoning"
    case .plain, .differential, .surveyed, .simulated, .precise: word
    }
  }

  /// Why simulated positions are not used, and what to do.
  package static let refusal = "the positions are simulated; --allow-simulated uses them"
}
