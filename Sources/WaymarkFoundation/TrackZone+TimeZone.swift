public import Foundation
public import WaymarkKit

extension TrackZone {
  /// The rules of a time zone, with its changes of the clock.
  ///
  /// Of an hour that the clock shows twice the first is taken.
  public init(_ zone: TimeZone) {
    self.init(name: zone.identifier) { seconds in
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }
  }
}
