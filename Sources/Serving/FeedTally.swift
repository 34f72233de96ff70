/// The numbers of a server's run.
package struct FeedTally: Sendable, Hashable {
  package var fixes = 0
  package var devices = 0
  /// Fixes that said of themselves that they have no position, or had an impossible one.
  package var withoutPosition = 0
  package var timeless = 0
  /// Clients that have connected, and those of them that watched.
  package var clients = 0
  package var watchers = 0
  /// Clients that took too little and were dropped.
  package var slow = 0
  /// Clients that sent a request without an end, and those for which there was no room.
  package var hopeless = 0
  package var refused = 0

  package init() {}

  /// The summary of a run, a line a fact.
  package var summary: [String] {
    var lines = [
      "served \(count(fixes, "fix", "fixes")) of \(count(devices, "device", "devices")) to "
        + "\(count(watchers, "watching client", "watching clients"))"
    ]
    func remark(_ number: Int, _ one: String, _ many: String, _ text: String) {
      if number > 0 { lines.append("\(count(number, one, many)) \(text)") }
    }
    remark(withoutPosition, "fix", "fixes", "without a position, served as mode 1")
    remark(timeless, "fix", "fixes", "without a time")
    remark(clients - watchers, "client", "clients", "connected and never watched")
    remark(slow, "client", "clients", "dropped as too slow")
    remark(hopeless, "client", "clients", "closed for a request without an end")
    remark(refused, "client", "clients", "refused, as there were too many")
    return lines
  }

  private func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}
