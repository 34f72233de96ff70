/// The counts of one server, from its start to its end.
package struct FeedTally: Sendable, Hashable {
  package var fixes = 0
  /// Lines of a recording of gpsd.
  package var lines = 0
  package var devices = 0
  /// Fixes with mode `none` or an impossible position.
  package var withoutPosition = 0
  package var timeless = 0
  /// Bytes of junk sent, and how often all clients were disconnected.
  package var junk = 0
  package var disconnects = 0
  /// Clients that connected, and those of them that watched.
  package var clients = 0
  package var watchers = 0
  /// Clients that were dropped as too slow.
  package var slow = 0
  /// Clients that asked for nothing for too long.
  package var silent = 0
  /// Clients closed for a request that was too long, and clients refused as one too many.
  package var oversized = 0
  package var refused = 0

  package init() {}

  /// The counts as lines of text, one count a line.
  package var summary: [String] {
    let items = lines > 0 ? count(lines, "line", "lines") : count(fixes, "fix", "fixes")
    var lines = [
      "served \(items) of \(count(devices, "device", "devices")) to "
        + "\(count(watchers, "watching client", "watching clients"))"
    ]
    func remark(_ number: Int, _ one: String, _ many: String, _ text: String) {
      if number > 0 { lines.append("\(count(number, one, many)) \(text)") }
    }
    remark(withoutPosition, "fix", "fixes", "without a position, served as mode 1")
    remark(timeless, "fix", "fixes", "without a time")
    remark(junk, "byte", "bytes", "of junk sent")
    remark(disconnects, "time", "times", "all clients were disconnected")
    remark(clients - watchers, "client", "clients", "connected and never watched")
    remark(slow, "client", "clients", "dropped as too slow")
    remark(silent, "client", "clients", "dropped as they asked for nothing")
    remark(oversized, "client", "clients", "closed for a request that was too long")
    remark(refused, "client", "clients", "refused as too many were connected")
    return lines
  }

  private func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}
