public import CWaymark
internal import EventLog
internal import Session
internal import Text
internal import Traces

/// Opens a recorded track.
@c @implementation
public func waymark_track_open(
  _ path: UnsafePointer<CChar>?, _ track: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let result = try target(track, "track")
    guard let path else { throw Misuse("path is NULL") }
    result.pointee = Handle.make(TrackHandle(try TraceFeed(path: String(cString: path))))
  }
}

/// Gives the next fixes, and the problems found with them.
@c @implementation
public func waymark_track_read(
  _ track: OpaquePointer?, _ least: Int, _ schema: UnsafeMutablePointer<ArrowSchema>?,
  _ array: UnsafeMutablePointer<ArrowArray>?,
  _ problems: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let track: TrackHandle = try Handle.object(track, "track")
    let (schema, array) = (try target(schema, "schema"), try target(array, "array"))
    ArrowTable(try track.read(max(least, 1))).give(schema, array)
    problems?.pointee = Given.text(track.takeProblems())
  }
}

/// Closes a track.
@c @implementation
public func waymark_track_free(_ track: OpaquePointer?) { Handle.release(track) }

/// A track whose fixes are read as columns.
final class TrackHandle {
  private let feed: TraceFeed
  private var names = DeviceNames(given: nil)
  /// The device of fixes without a device name, by its number in ``devices``.
  private var ownDevice: Int?
  private var devices: [String] = []
  private var numbers: [ExactText: Int] = [:]
  private var problems: [String] = []
  private var isAtEnd = false

  init(_ feed: TraceFeed) { self.feed = feed }

  /// The next fixes, as columns.
  func read(_ least: Int) throws(TraceError) -> [TableColumn] {
    var columns = FixTable()
    var run = TraceSlice()
    do throws(TraceError) {
      while columns.count < least, try next(&run) {
        for index in run.range {
          let point = run.points[index]
          columns.append(point.fix, device: device(point.device))
        }
      }
    } catch {
      // With fixes to give, it waits: the feed throws it again with the next call.
      if columns.count == 0 { throw error }
    }
    columns.device.words = devices
    return columns.all
  }

  /// Removes and returns the problems found so far, a line each.
  func takeProblems() -> String {
    defer { problems = [] }
    return problems.joined(separator: "\n")
  }

  private func next(_ run: inout TraceSlice) throws(TraceError) -> Bool {
    guard !isAtEnd else { return false }
    isAtEnd = try !feed.take(&run)
    problems += feed.takeIssues().map { $0.described(in: feed.path) }
    if isAtEnd {
      if let rest = feed.unreportedIssues { problems.append(rest) }
      let refused = feed.others.simulatedFixes
      if refused > 0 {
        let positions = SessionTotals.count(refused, "simulated position")
        problems.append("\(feed.path): left out \(positions)")
      }
    }
    return !isAtEnd
  }

  private func device(_ index: Int32?) -> Int {
    if let index { return number(of: feed.devices[Int(index)]) }
    if let ownDevice { return ownDevice }
    let number = number(of: names.name(of: feed))
    ownDevice = number
    return number
  }

  private func number(of name: String) -> Int {
    let key = ExactText(name)
    if let known = numbers[key] { return known }
    numbers[key] = devices.count
    devices.append(name)
    return devices.count - 1
  }
}
