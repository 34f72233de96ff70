import Foundation
import TestSupport
import Testing

/// How much is tried: little in every run of the tests, and more in `make soak`.
enum Effort {
  private static let variables = ProcessInfo.processInfo.environment

  /// Hours that are to be spent, in `make soak`.
  private static let hours = variables["SOAK"].flatMap { Double($0) }
  static let isSoak = hours != nil
  /// Random points that are to be tried, whatever time they take; nil for as many as there is time for.
  private static let points = variables["SOAK_POINTS"].flatMap { Int($0) }
  private static let end = ContinuousClock.now + .seconds((hours ?? 0) * 3_600)

  /// Whether a worker of a soak, of so many, goes on after `done` points.
  static func goesOn(after done: Int, of workers: Int) -> Bool {
    points.map { done < ($0 + workers - 1) / workers } ?? (.now < end)
  }

  /// How long a test may take; a soak takes the hours that it is given, and then some.
  static let limit = TimeLimitTrait.Duration.minutes(90 + (isSoak ? 60 * (1 + Int(hours ?? 0)) : 0))
  /// What random numbers begin with; SEED sets another one.
  static let seed = variables["SEED"].flatMap { UInt64($0) } ?? 0xFA_017
  /// States of a disk for each scenario.
  static let cuts = isSoak ? 1_000 : 100

  /// Some of many points, spread evenly: one of each of `most` equal parts, drawn by ``seed``; in a soak
  /// all of them.
  static func sample<Point>(_ points: [Point], most: Int = 150) -> [Point] {
    guard !isSoak, points.count > most else { return points }
    var generator = SeededGenerator(seed: seed)
    return (0..<most).map { part in
      let (start, end) = (points.count * part / most, points.count * (part + 1) / most)
      return points[start + generator.below(end - start)]
    }
  }
}
