/// What kind of device is simulated: when it reports, and what its positions are like.
package enum DeviceKind: String, Sendable, Hashable, CaseIterable {
  /// A phone that reports by its sampling, day and night.
  case phone
  /// A phone that reports only while it believes that it moves.
  case dutyCycled = "duty-cycled"
  /// A collar on an animal: a fix every few hours.
  case collar
  /// A boat that swings at anchor, drags now and then, and sails to the next bay.
  case boat
  /// A phone without satellites: positions of wifi networks and cells.
  case network
  /// A phone that is on now and then, and wakes with positions of where it was.
  case stale

  /// One sentence about it.
  package var summary: String {
    switch self {
    case .phone: "Phones that report by their sampling, day and night."
    case .dutyCycled:
      "Phones that report only while they believe that they move: silence at rest, and late wakes."
    case .collar: "Collars on animals that take a fix every 1 to 12 hours."
    case .boat: "Boats that swing at anchor, drag now and then, and sail from bay to bay."
    case .network:
      "Phones with positions of wifi networks and cells, which claim 65 m, 165 m or 1 to 3 km."
    case .stale:
      "Phones that are on now and then, and wake with one to five positions of where they were."
    }
  }

  /// Days that show what it does.
  package var usualDays: Int { self == .collar ? 14 : 1 }

  /// Whether a person carries it through days of a ``LifeProfile``.
  package var isCarried: Bool { self != .collar && self != .boat }

  /// The samplings that it may have, from the most usual to the rarest.
  package var samplings: [SamplingRule] {
    switch self {
    case .phone, .dutyCycled, .stale: SamplingRule.mixed
    case .boat: [5, 1, 10, 30, 60].map(SamplingRule.interval)
    case .collar: [1, 2, 4, 12, 3, 6].map { .interval($0 * 3_600) }
    // It gives a position when it likes; this is the usual time between two.
    case .network: [.interval(180)]
    }
  }

  /// Whether its sampling can be chosen among those of phones.
  package var hasInterval: Bool { self != .collar && self != .network }
}
