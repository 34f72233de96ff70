import Explaining
import Formats
import Session
import Traces
import Tracking

/// A track as a whole: the fixes of each of its devices.
struct Recording {
  private(set) var names: [String] = []
  private(set) var namesDevices = false
  /// The number of errors in the track.
  private(set) var issues = 0
  /// Why the track could be read no further.
  private(set) var failure: TraceError?
  private var fixes: [[Fix]] = []

  /// Reads a track.
  ///
  /// - Parameters:
  ///   - device: The device of fixes that name none.
  ///   - options: What the user knows of the track.
  /// - Throws: ``TraceError`` when nothing of it can be read.
  init(_ path: String, device: String?, options: ReadingOptions) throws(TraceError) {
    let feeds = try TraceFeed.open([path], options: options)
    var merge = TraceMerge(feeds, device: device)
    merge.warn = { Terminal.report("waymark: \($0)") }
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
  }

  /// The recording of a device, whose fixes are then no longer here.
  mutating func takeExplainer(of device: Int, _ rules: Rules) -> Explainer {
    defer { fixes[device] = [] }
    return Explainer(device: names[device], fixes: fixes[device], rules: rules)
  }
}
