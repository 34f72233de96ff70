/// A file of the page.
package struct WebPage: Sendable {
  /// The path under which it is served, such as `/live.js`.
  package var path: String
  /// The media type.
  package var type: String
  package var bytes: [UInt8]

  package init(path: String, type: String, bytes: [UInt8]) {
    (self.path, self.type, self.bytes) = (path, type, bytes)
  }
}

/// The tiles of the page's map.
package enum WebTiles: Sendable {
  /// Requested from another server, whose scheme, host and port are added to the page's policy.
  case server(String)
  /// Images of this type, by zoom, column and row from the north; called on the server's thread.
  case images(type: String, find: @Sendable (_ zoom: Int, _ x: Int, _ y: Int) -> [UInt8]?)
}

/// The state of a device, as the server gives it out.
package struct WebState: Sendable {
  /// The name of the device.
  package var device: String
  /// A JSON object in one line, without an end of line: what the status file has of a device.
  package var status: [UInt8]
  /// The positions since the state before, each a JSON array, the oldest first.
  package var positions: [[UInt8]]
  /// Whether it is the device of a source, which is never dropped for others.
  package var isSource: Bool

  package init(
    device: String, status: [UInt8], positions: [[UInt8]] = [], isSource: Bool = false
  ) {
    (self.device, self.status, self.positions) = (device, status, positions)
    self.isSource = isSource
  }
}

/// What a live run has beside its devices.
package struct WebRun: Sendable {
  /// A JSON object in one line, without an end of line: what the status file has beside devices.
  package var status: [UInt8]
  /// Prometheus' text format.
  package var metrics: [UInt8]

  package init(status: [UInt8], metrics: [UInt8]) {
    (self.status, self.metrics) = (status, metrics)
  }
}

/// How much a server may keep and use.
package struct WebLimits: Sendable {
  /// The most connections at a time.
  package var clients = 256
  /// Bytes that may wait for a client; the rest waits in what the server keeps.
  package var backlog = 1 << 20
  /// The most events that are kept for pages that open later.
  package var events = 1_000
  /// The most devices: the one that changed least recently is dropped for a new one.
  package var devices = 10_000
  /// The most positions that are kept of all devices: some hours of one a second.
  package var positions = 20_000
  /// How often a stream gets a sign of life, and idle and stuck connections are looked for.
  package var beat = Duration.seconds(15)
  /// Send buffer of the system for a client, bytes (SO_SNDBUF).
  package var systemQueue = 256 << 10

  package init() {}
}
