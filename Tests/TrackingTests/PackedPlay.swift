import Estimation
import Testing
import Tracking

extension Rules {
  /// The events of a device's fixes; one that is packed after each of them has the same.
  func played(_ fixes: [Fix], keepsHistory: Bool = true) -> [Event] {
    var (tracker, events) = (Tracker(rules: self), [Event]())
    for fix in fixes { tracker.ingest(fix, into: &events) }
    var fleet = Fleet(rules: self, activeLimit: 1, keepsHistory: keepsHistory)
    let (device, other) = (fleet.index(of: "device"), fleet.index(of: "other"))
    var packed: [Event] = []
    for fix in fixes {
      fleet.ingest(fix, of: device, into: &packed)
      var ignored: [Event] = []
      fleet.ingest(fixes[0], of: other, into: &ignored)
    }
    #expect(packed == events)
    return events
  }
}
