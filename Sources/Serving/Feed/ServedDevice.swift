package import Tracking

/// A device of a trace as a receiver with a path, for clients of gpsd.
package struct ServedDevice: Sendable, Hashable {
  /// `replay://NAME`, at most ``longestPath`` bytes; of a recording the path that gpsd gave.
  package let path: String
  /// Whether a recording of gpsd has the reports about it.
  package let isRecorded: Bool
  /// When it began to report, in trace time; nil if its first fix has no time.
  package let activated: Timestamp?

  /// Most bytes of a path: libgps has 128, the last of which is zero (gps.h, GPS_PATH_MAX).
  package static let longestPath = 127
  private static let scheme = "replay://"

  /// Makes a device whose path comes from `name` and differs from those of `taken`.
  package init(name: String, activated: Timestamp?, taken: [ServedDevice] = []) {
    self.activated = activated
    isRecorded = false
    let plain = Self.plain(name)
    var (path, number) = (Self.path(plain, ending: ""), 2)
    while taken.contains(where: { $0.path == path }) {
      path = Self.path(plain, ending: "-\(number)")
      number += 1
    }
    self.path = path
  }

  /// A receiver of a recording of gpsd.
  package init(recorded path: String, activated: Timestamp?) {
    (self.path, self.activated, isRecorded) = (path, activated, true)
  }

  /// The name with a hyphen for every character that needs quoting in a shell or an address.
  private static func plain(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar)
            ? scalar : "-"
        }))
  }

  private static func path(_ name: String, ending: String) -> String {
    let room = longestPath - scheme.utf8.count - ending.utf8.count
    var short = name
    while short.utf8.count > room { short.removeLast() }
    return scheme + short + ending
  }
}
