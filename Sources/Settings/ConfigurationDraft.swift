internal import Geodesy
package import Receivers
internal import Text
package import Tracking

/// A commented config file for someone who begins, as `waymark init` writes it.
///
/// What it does not set is there as an example. A line whose `#` no blank follows is such an example:
/// without the `#` it is valid. Other comments are prose.
package struct ConfigurationDraft: Sendable {
  /// The name in events.
  package var device = "van"
  package var source = GPSDAddress.local
  /// A circle.
  package var fence: Fence?
  /// The name of a time zone; nil for UTC.
  package var timeZone: String?
  /// The path of the store; nil for none.
  package var store: String?

  package init() {}

  /// The text of the file.
  package var text: String {
    """
    # The config of Waymark, for `waymark watch`, `replay`, `record` and the service.
    # `waymark check FILE` validates it after a change. A `#` without a blank after it turns an example
    # off. Lengths and times carry a unit: 100 m, 2 km, 5 min.

    # The name of the device in events.
    device: \(Self.quoted(device))

    # Where gpsd is, for watch and record.
    source: \(Self.quoted(source.description))

    # The time zone of text and messages. The event log stays UTC.
    \(timeZone.map { "time-zone: \($0)" } ?? "#time-zone: Europe/Berlin")

    # Places to watch. A circle has a center (latitude, longitude) and a radius, which should be larger
    # than the accuracy of the receiver: 50 m and more for a phone. Events are `enter` and `exit`, and
    # `dwell` after a time inside.
    \(fences)

    # Stays are visits, at any place. `false` turns them off.
    visits: {minimum-stay: 5 min, radius: 50 m}

    # A move by this distance is a significant change, at most one in this time. Or `false`.
    significant-changes: {distance: 500 m, interval: 5 min}

    # Every event in a database, which QGIS, GDAL and sqlite3 open. A relative path is relative to this
    # file.
    \(store.map { "store: \(Self.quoted($0))" } ?? "#store: events.gpkg")

    # Who gets the events. This needs a store.
    #deliver:
    #  - {name: log, command: [logger, "{device} {verb} {fence}"]}

    # Names for the places of visits, from the towns in the program; no network is used.
    #geocoder: {provider: gazetteer}

    """
  }

  private var fences: String {
    guard let fence, case .circle(let circle) = fence.area else {
      return """
        #fences:
        #  - id: home
        #    center: [52.5163, 13.3777]
        #    radius: 100 m
        #    notify: [enter, exit, dwell]
        #    dwell: 10 min
        """
    }
    return """
      fences:
        - id: \(Self.quoted(fence.id))
          center: [\(Self.number(circle.center.latitude)), \(Self.number(circle.center.longitude))]
          radius: \(Self.number(circle.radius)) m
          #notify: [enter, exit, dwell]
          #dwell: 10 min
        #- id: site
        #  polygon: [[52.1, 13.1], [52.2, 13.1], [52.2, 13.3]]
      """
  }

  /// With the seven decimals of the event log, as far as they are needed.
  private static func number(_ value: Double) -> String {
    var text = Readable.number(value, decimals: 7)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// In double quotes, which YAML reads as JSON does.
  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes)
    return bytes.span.string
  }
}
