internal import Geodesy
internal import Glibc
package import Session
internal import Text
internal import TrackFiles
internal import Traces
package import Tracking

/// Writes the fixes of recorded tracks in another format, or what the engine makes of them.
///
/// Tracks, segments, devices and all values of a fix are kept as far as the format has a place for them.
/// Memory: that of one block for a format with rows, of the fixes of one input for others.
package struct TrackConversion {
  /// Which fixes are written.
  package var span = TimeSpan()
  /// How far a fix that is left out may lie from the line, metres; nil when all are written.
  package var tolerance: Double?
  /// The rules of the engine whose estimates are written instead of the fixes; nil for the fixes.
  package var cleaning: Rules?
  /// Whether fixes are written in the order of time, for which all of them are held in memory.
  package var sorts = false
  /// The most fixes that are put in order.
  var mostSorted = TrackSorter.limit
  /// Called with a message for every error in an input.
  package var warn: (String) -> Void = { _ in }

  private let feeds: [TraceFeed]
  private var overlap = OverlapFilter()
  private var names: DeviceNames
  private var totals = ConversionTotals()
  /// What is still to be put in order.
  private var sorter = TrackSorter()
  /// The engines of devices, when their estimates are written.
  private var trackers: [ExactText: Tracker] = [:]
  private var events: [Event] = []

  /// The most fixes of a block.
  private static let block = 1_024

  /// Makes a conversion of opened traces; `device` is the name for tracks that name none.
  package init(feeds: [TraceFeed], device: String?) {
    self.feeds = feeds
    names = DeviceNames(given: device)
  }

  /// Converts everything, and closes the output.
  ///
  /// - Throws: ``SessionError`` when an input cannot be read or the output cannot be written; what was
  ///   read before is written. Also when there are more fixes than can be put in order; of those none is
  ///   written.
  package mutating func run(to output: inout some TrackOutput) throws(SessionError)
    -> ConversionTotals
  {
    var failure: SessionError?
    let owners = owners()
    for (feed, owner) in zip(feeds, owners) {
      do throws(SessionError) {
        try convert(feed, of: owner, &output)
      } catch .output(let error) {
        throw .output(error)
      } catch .limit(let text) {
        throw .limit(text)
      } catch {
        failure = failure ?? error
      }
      totals.add(feed)
      if let rest = feed.unreportedIssues { warn(rest) }
    }
    if sorts { try writeSorted(&output) }
    try output.close()
    if let failure { throw failure }
    return totals
  }

  /// The devices of inputs, nil for one that names its devices; the filter learns what overlaps.
  private mutating func owners() -> [String?] {
    // One input is read as it comes: nothing is read ahead of a pipe.
    guard feeds.count > 1 else { return [nil] }
    let owners = feeds.map { feed -> String? in
      // An error is thrown again when the fix is wanted.
      guard let first = try? feed.peek(), first.device == nil else { return nil }
      return names.name(of: feed)
    }
    // The first time of an input that is not in order says nothing.
    overlap = OverlapFilter(zip(owners, feeds).map { ($0, sorts ? nil : $1.firstTime) })
    return owners
  }

  private mutating func convert(
    _ feed: TraceFeed, of owner: String?, _ output: inout some TrackOutput
  ) throws(SessionError) {
    let isStreamed = output.hasRows && tolerance == nil
    var collected = CollectedTracks(ownName: owner)
    overlap.beginTrace()
    let (readBefore, invalidBefore) = (totals.read, totals.invalid)
    var failure: SessionError?
    do throws(SessionError) {
      while let point = try next(of: feed) {
        let device = point.device.map { feed.devices[Int($0)] } ?? ownName(of: feed, &collected)
        collected.note(tracks: feed.others.tracks, segments: feed.others.segments)
        guard let fix = wanted(point, of: device, in: feed) else { continue }
        try checkLimit(collected.count, in: feed)
        let isFull = isStreamed && collected.count >= Self.block
        if isFull || (isStreamed && !collected.ends(with: device)) {
          try write(collected.take(), &output)
        }
        collected.append(fix, of: device, track: feed.lastTrackName)
      }
    } catch .limit(let text) {
      throw .limit(text)
    } catch {
      failure = error
    }
    let read = totals.read - readBefore
    if read > 0, totals.invalid - invalidBefore == read { totals.countUnusable() }
    try write(collected.take(), &output)
    try writeVisits(of: feed, &collected, &output)
    if let failure { throw failure }
  }

  /// Refuses one more fix than may be put in order.
  private func checkLimit(_ collected: Int, in feed: TraceFeed) throws(SessionError) {
    guard sorts, sorter.count + collected >= mostSorted else { return }
    throw .limit(
      "\(feed.path): --sort holds all fixes in memory, and there are more than \(mostSorted); "
        + "sort them in parts, such as a month each, with --from and --until")
  }

  private mutating func writeVisits(
    of feed: TraceFeed, _ collected: inout CollectedTracks, _ output: inout some TrackOutput
  ) throws(SessionError) {
    guard cleaning == nil else { return }
    let visits = feed.reportedVisits.filter { span.contains($0.arrival) }
    guard !visits.isEmpty, try output.write(visits, of: ownName(of: feed, &collected)) else {
      return
    }
    totals.writtenVisits += visits.count
  }

  /// The next fix, moved past; nil at the end.
  private mutating func next(of feed: TraceFeed) throws(SessionError) -> TracePoint? {
    do throws(TraceError) {
      let point = try feed.peek()
      for issue in feed.takeIssues() { warn(issue.described(in: feed.path)) }
      if point != nil { feed.take() }
      return point
    } catch {
      for issue in feed.takeIssues() { warn(issue.described(in: feed.path)) }
      throw .trace(error)
    }
  }

  private mutating func ownName(of feed: TraceFeed, _ collected: inout CollectedTracks) -> String {
    if let name = collected.ownName { return name }
    let name = names.name(of: feed)
    collected.ownName = name
    return name
  }

  /// The fix, if it is to be written; it is counted in any case.
  private mutating func wanted(
    _ point: TracePoint, of device: String, in feed: TraceFeed
  ) -> Fix? {
    let fix = point.fix
    totals.read += 1
    guard span.contains(fix.time) else {
      totals.outside += 1
      return nil
    }
    guard fix.mode != .none else {
      totals.withoutPosition += 1
      return nil
    }
    guard fix.coordinate.isValid else {
      totals.countInvalid(fix, at: point.line, of: feed)
      return nil
    }
    if overlap.isDuplicate(fix, of: device) {
      totals.duplicates += 1
      return nil
    }
    return sorts ? fix : cleaned(fix, of: device)
  }

  /// The fix, or the engine's estimate at it when that is written; nil when there is none.
  private mutating func cleaned(_ fix: Fix, of device: String) -> Fix? {
    guard let cleaning else { return fix }
    let estimate = estimate(at: fix, of: device, cleaning)
    if estimate == nil { totals.unused += 1 }
    return estimate
  }

  /// What the engine knows after a fix; nil when it does not use the fix, or not yet.
  private mutating func estimate(at fix: Fix, of device: String, _ rules: Rules) -> Fix? {
    let name = ExactText(device)
    var tracker = trackers[name] ?? Tracker(rules: rules)
    // Not in the dictionary meanwhile, so that it is not copied.
    trackers[name] = nil
    tracker.ingest(fix, into: &events)
    events.removeAll(keepingCapacity: true)
    defer { trackers[name] = tracker }
    guard let time = fix.time, tracker.lastDefect == nil, tracker.lastTime == time,
      let estimate = tracker.observation?.estimate, estimate.time == time
    else { return nil }
    return Fix(estimate, at: fix)
  }

  private mutating func write(
    _ tracks: [RecordedTrack], _ output: inout some TrackOutput
  ) throws(SessionError) {
    for track in tracks {
      if sorts {
        sorter.add(track)
      } else {
        try put(track, &output)
      }
    }
  }

  /// Writes the tracks that were put in order.
  private mutating func writeSorted(_ output: inout some TrackOutput) throws(SessionError) {
    var sorted = sorter.take(mixesDevices: output.hasRows && tolerance == nil)
    while var track = sorted.next() {
      if cleaning != nil {
        for index in track.segments.indices {
          track.segments[index] = track.segments[index].compactMap { cleaned($0, of: track.device) }
        }
        track.segments.removeAll(where: \.isEmpty)
      }
      if !track.segments.isEmpty { try put(track, &output) }
    }
  }

  private mutating func put(
    _ track: RecordedTrack, _ output: inout some TrackOutput
  ) throws(SessionError) {
    var track = track
    if let tolerance {
      let simplifier = TrackSimplifier(limit: tolerance)
      track.segments = track.segments.map(simplifier.simplify)
    }
    for segment in track.segments { totals.written += segment.count }
    totals.devices.insert(ExactText(track.device))
    try output.write(track)
  }
}

/// The tracks of one input while they are read.
private struct CollectedTracks {
  /// The device of an input that names none.
  var ownName: String?
  /// The number of fixes.
  private(set) var count = 0
  private var tracks: [RecordedTrack] = []
  /// The last track of each device, as an index.
  private var last: [ExactText: Int] = [:]
  private var marks = (tracks: 0, segments: 0)

  init(ownName: String?) { self.ownName = ownName }

  /// Devices whose next fix begins a track, or a segment, are those that are not in here.
  private var joined: (track: Set<ExactText>, segment: Set<ExactText>) = ([], [])

  /// Notes how many tracks and segments have begun.
  mutating func note(tracks: Int, segments: Int) {
    if tracks != marks.tracks { joined.track.removeAll() }
    if (tracks, segments) != marks { joined.segment.removeAll() }
    marks = (tracks, segments)
  }

  func ends(with device: String) -> Bool {
    tracks.last.map { ExactText($0.device) == ExactText(device) } ?? true
  }

  mutating func append(_ fix: Fix, of device: String, track name: String?) {
    count += 1
    let key = ExactText(device)
    var index = last[key] ?? tracks.count
    if joined.track.insert(key).inserted || index == tracks.count {
      index = tracks.count
      tracks.append(RecordedTrack(device: device, name: name))
      last[key] = index
    }
    if joined.segment.insert(key).inserted || tracks[index].segments.isEmpty {
      tracks[index].segments.append([])
    }
    tracks[index].segments[tracks[index].segments.count - 1].append(fix)
  }

  /// Removes and returns the tracks so far.
  mutating func take() -> [RecordedTrack] {
    defer {
      tracks.removeAll()
      last.removeAll()
      count = 0
    }
    return tracks
  }
}

extension Fix {
  /// An estimate as a fix: place, accuracy, speed and course of the engine, the height of the fix.
  fileprivate init(_ estimate: Estimate, at fix: Fix) {
    self.init(time: fix.time, coordinate: estimate.coordinate)
    horizontalAccuracy = estimate.horizontalAccuracy
    speed = estimate.isMoving ? estimate.velocity.length : 0
    if estimate.isMoving {
      let degrees = atan2(estimate.velocity.x, estimate.velocity.y) * 180 / .pi
      course = degrees < 0 ? degrees + 360 : degrees
    }
    (altitude, verticalAccuracy) = (fix.altitude, fix.verticalAccuracy)
    ellipsoidalAltitude = fix.ellipsoidalAltitude
  }
}
