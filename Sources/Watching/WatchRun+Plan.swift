package import EventLog
package import GPSD
internal import Receivers
package import Session
package import Text
package import Tracking

extension WatchRun {
  /// The options of a run.
  package struct Plan {
    /// The sources with a device of their own.
    package var sources: [WatchedSource]
    /// The sources whose devices appear while they are watched; none only beside a source.
    package var inlets: [WatchedInlet] = []
    /// The most devices that appear: the one heard least recently is forgotten for a new one.
    package var mostDevices = 5_000
    package var rules: Rules
    /// The fences that fixes place; none with several sources.
    package var anchors: [AnchorPlan] = []
    package var kinds: Set<LogEntry.Kind>
    package var format: EventFormat
    package var layout = TextLayout()
    /// Where events are added; standard output when nil.
    package var output: String?
    /// Where the engine's state is kept; nowhere when nil.
    package var state: String?
    /// The file that records gpsd's output; nil for none.
    package var record: String?
    package var rotation = RecordingRotation.never
    /// Keeps every event; nil for none.
    package var store: (any EntryStore)?
    /// Why the store cannot be used yet; nil when it can.
    package var storeFailure: EntryStoreError?
    /// Delivers what the store keeps; nil for none.
    package var delivery: (any EventDelivery)?
    /// Gets the state and the events as well; nil for none.
    package var audience: (any LiveAudience)?
    /// Where the status is written for other programs.
    package var status: String?
    package var link = LinkOptions()
    /// Names the places of stays; nil for none.
    package var names: (any PlaceNamer)?
    package var isColoured = false
    /// Whether a terminal shows the state in its last lines.
    package var hasView = true
    /// The zone of the times there.
    package var zone = DisplayZone.utc
    /// Whether SIGHUP reloads the configuration; otherwise it ends the run, as the terminal is gone.
    package var reloadsOnHangup = true

    package init(
      sources: [WatchedSource], rules: Rules, kinds: Set<LogEntry.Kind>, format: EventFormat
    ) {
      self.sources = sources
      self.rules = rules
      self.kinds = kinds
      self.format = format
    }

    /// The header of the recording.
    var header: RecordingHeader {
      RecordingHeader(sources, inlets: inlets.map(\.address))
    }

    /// Whether there is one device, of a source.
    var hasOneDevice: Bool { sources.count == 1 && !hasAppearing }

    /// Whether devices appear while they are watched.
    var hasAppearing: Bool { addressOfAppearing != nil }

    /// Where the first of them may report: an inlet, or a gpsd that reports ships.
    var addressOfAppearing: String? {
      inlets.first?.address ?? sources.first(where: \.hasShips)?.address.description
    }
  }
}
