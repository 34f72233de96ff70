package import Traces
package import Tracking

/// Tracks as a whole: the fixes of each device.
package struct Recording {
  package private(set) var names: [String] = []
  package private(set) var namesDevices = false
  /// The number of errors in the tracks.
  package private(set) var issues = 0
  /// What was refused, for messages.
  package private(set) var refusals: [String] = []
  /// Why a track could be read no further.
  package private(set) var failure: TraceError?
  private var fixes: [[Fix]] = []

  /// Reads tracks to their ends.
  ///
  /// - Parameters:
  ///   - device: The device of fixes that name none.
  ///   - warn: Called with a message for every error in a track.
  package init(_ feeds: [TraceFeed], device: String?, warn: @escaping (String) -> Void) {
    var merge = TraceMerge(feeds, device: device)
    merge.warn = warn
    do throws(TraceError) {
      try merge.start()
      while let step = try merge.next() {
        while fixes.count <= step.device { fixes.append([]) }
        fixes[step.device].append(step.fix)
      }
    } catch {
      failure = error
    }
    (names, issues) = (merge.devices.map(\.name), merge.issues)
    namesDevices = feeds.contains(where: \.namesDevices)
    var remarks = Remarks()
    remarks.add(simulated: feeds.reduce(0) { $0 + $1.others.simulatedFixes }, use: "used")
    refusals = remarks.lines
  }

  /// Removes and returns the fixes of a device.
  package mutating func takeFixes(of device: Int) -> [Fix] {
    guard device < fixes.count else { return [] }
    defer { fixes[device] = [] }
    return fixes[device]
  }
}
