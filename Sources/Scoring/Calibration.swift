/// How well the confidence of events predicts whether they are correct.
package struct Calibration: Sendable {
  /// The events whose confidence is in one tenth.
  package struct Bin: Sendable, Hashable {
    /// Lower edge of the bin, included; the upper edge `to` is excluded, except in the last bin.
    package let from: Double
    package let to: Double
    package let count: Int
    package let right: Int
    /// Mean of the confidences, nil in an empty bin.
    package let meanConfidence: Double?

    /// The share of correct events, nil in an empty bin.
    package var accuracy: Double? { count > 0 ? Double(right) / Double(count) : nil }
  }

  package let bins: [Bin]

  /// Sorts predictions into ten bins.
  package init(_ predictions: [Prediction]) {
    var sorted = [[Prediction]](repeating: [], count: Self.count)
    for prediction in predictions {
      let position = min(max(prediction.confidence * Double(Self.count), 0), Double(Self.count - 1))
      sorted[Int(position)].append(prediction)
    }
    bins = sorted.enumerated().map { index, predictions in
      let sum = predictions.reduce(0) { $0 + $1.confidence }
      return Bin(
        from: Double(index) / Double(Self.count), to: Double(index + 1) / Double(Self.count),
        count: predictions.count, right: predictions.filter(\.isCorrect).count,
        meanConfidence: predictions.isEmpty ? nil : sum / Double(predictions.count))
    }
  }

  private static let count = 10

  /// The expected calibration error (Naeini, Cooper and Hauskrecht 2015): the mean difference of
  /// confidence and accuracy, weighted by events; nil without predictions.
  package var error: Double? {
    let all = bins.reduce(0) { $0 + $1.count }
    guard all > 0 else { return nil }
    let sum = bins.reduce(0) { sum, bin in
      guard let meanConfidence = bin.meanConfidence, let right = bin.accuracy else { return sum }
      return sum + abs(meanConfidence - right) * Double(bin.count)
    }
    return sum / Double(all)
  }
}
