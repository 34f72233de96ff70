import Geodesy
import Simulation
import Tracking

@testable import make_stories

/// The simplest fence detection.
///
/// Geodesics join the fixes, and a crossing is where these cross the edge. An outlier filter of its
/// own drops bad fixes first.
enum PlainGeometry {
  /// The crossings in a recording.
  static func crossings(in recording: Recording, of fences: [StoryFence]) -> [TrueCrossing] {
    recording.tracks.flatMap(\.segments).flatMap { segment in
      chains(of: segment).flatMap { chain in
        TruePath(joining: chain)?.crossings(of: fences.map(\.reference)) ?? []
      }
    }
  }

  private typealias Place = (time: Timestamp, coordinate: Coordinate)
  private static let day = 86_400.0
  private static let fastest = 400.0

  /// The accepted fixes; a clock jump of more than a day begins a new chain.
  private static func chains(of fixes: [Fix]) -> [[(time: Timestamp, coordinate: Coordinate)]] {
    var chains: [[Place]] = [[]]
    var held: Place?
    for fix in fixes {
      guard let time = fix.time, fix.coordinate.isValid else { continue }
      let place = (time, fix.coordinate)
      guard let last = chains.last?.last else {
        chains = [[place]]
        continue
      }
      if time == last.time { continue }
      if follows(place, last) {
        chains[chains.count - 1].append(place)
        held = nil
      } else if let jump = held, follows(place, jump) {
        chains.append([jump, place])
        held = nil
      } else if mayBeConfirmed(place, after: last) {
        held = place
      }
    }
    return chains
  }

  private static func follows(_ place: Place, _ last: Place) -> Bool {
    let seconds = place.time.seconds(since: last.time)
    guard seconds > 0, seconds <= day else { return false }
    return place.coordinate.distance(to: last.coordinate) / seconds <= fastest
  }

  /// A fix that is earlier by less than a day is only late.
  private static func mayBeConfirmed(_ place: Place, after last: Place) -> Bool {
    let seconds = place.time.seconds(since: last.time)
    return seconds > 0 || seconds < -day
  }
}
