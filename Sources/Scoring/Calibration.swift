/// Whether events are right as often as they claim to be.
package struct Calibration: Sendable {
  /// The events whose confidence is in one tenth.
  package struct Bin: Sendable, Hashable {
    /// The confidences of the bin: `from` is in it, `to` is not, but for the last bin.
    package let from: Double
    package let to: Double
    package let count: Int
    package let right: Int
    /// Mean of the confidences, nil in an empty bin.
    package let claimed: Double?

    /// The share that was right, nil in an empty bin.
    package var rightShare: Double? { count > 0 ? Double(right) / Double(count) : nil }
  }

  package let bins: [Bin]

  /// Sorts claims into ten bins.
  package init(_ claims: [Claim]) {
    var sorted = [[Claim]](repeating: [], count: Self.count)
    for claim in claims {
      let place = min(max(claim.confidence * Double(Self.count), 0), Double(Self.count - 1))
      sorted[Int(place)].append(claim)
    }
    bins = sorted.enumerated().map { index, claims in
      let sum = claims.reduce(0) { $0 + $1.confidence }
      return Bin(
        from: Double(index) / Double(Self.count), to: Double(index + 1) / Double(Self.count),
        count: claims.count, right: claims.filter(\.isRight).count,
        claimed: claims.isEmpty ? nil : sum / Double(claims.count))
    }
  }

  private static let count = 10

  /// How far the claims are from the truth in the mean, weighted by events (Naeini, Cooper and
  /// Hauskrecht 2015: expected calibration error); nil without claims.
  package var error: Double? {
    let all = bins.reduce(0) { $0 + $1.count }
    guard all > 0 else { return nil }
    let sum = bins.reduce(0) { sum, bin in
      guard let claimed = bin.claimed, let right = bin.rightShare else { return sum }
      return sum + abs(claimed - right) * Double(bin.count)
    }
    return sum / Double(all)
  }
}
