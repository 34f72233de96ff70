internal import Explaining
internal import Geodesy
internal import Text
internal import Tracking

/// One device of a report: its fixes, and what the engine made of them.
struct ReportDevice {
  let name: String
  private var engine: ReportEngine
  private(set) var fixes: [ReportFix] = []
  private(set) var estimates: [ReportEstimate] = []
  /// Nil in hindsight, which nothing explains.
  private var recorder: ReasonRecorder?
  /// The index of a suspect fix that waits for the next one.
  private var waiting: Int?

  init(name: String, rules: Rules, hindsight: Bool) {
    self.name = name
    engine = ReportEngine(rules, hindsight: hindsight)
    recorder = hindsight ? nil : ReasonRecorder(device: name)
  }

  /// What explains the last events, which are in no window yet.
  var window: ReasonWindow? { recorder?.window }

  /// Adds the next fix; one without a time or a position cannot be shown.
  ///
  /// Gives what explains the events before it, when a window of them is full.
  mutating func add(_ fix: Fix) -> ReasonWindow? {
    let window = recorder?.prepare(engine.tracker)
    let before = (accepted: engine.accepted, jumps: engine.jumps)
    estimates += engine.observations(after: fix).map(ReportEstimate.init)
    recorder?.add(fix, eventCount: engine.eventCount)
    guard let time = fix.time, fix.coordinate.isValid else { return window }
    fixes.append(ReportFix(fix, at: time))
    note(accepted: engine.accepted - before.accepted, isJump: engine.jumps > before.jumps)
    return window
  }

  /// Ends the recording, and puts all in the order of time.
  ///
  /// - Parameter starts: The fixes with which segments begin.
  mutating func finish(_ starts: Set<ReportFix.Place>) {
    for index in fixes.indices where starts.contains(fixes[index].place) {
      fixes[index].begins = true
    }
    estimates += engine.finalObservations().map(ReportEstimate.init)
    estimates.sortByTime(\.time)
    fixes.sortByTime(\.time)
  }

  /// Marks the fixes that the engine dropped, and the first one after a jump.
  private mutating func note(accepted: Int, isJump: Bool) {
    let last = fixes.count - 1
    if engine.lastDefect != nil {
      fixes[last].isDropped = true
    } else if accepted == 0 {
      if let waiting { fixes[waiting].isDropped = true }
      waiting = last
    } else {
      if accepted == 1, let waiting { fixes[waiting].isDropped = true }
      if isJump { fixes[accepted > 1 ? waiting ?? last : last].begins = true }
      waiting = nil
    }
  }

  /// Writes the device as an object of JSON.
  func write(to json: inout JSONBuilder) {
    json.object {
      $0.text("name", name)
      $0.number("count", fixes.count)
      $0.column("time", fixes) { $0.append(regular: $1.time) }
      $0.column("latitude", fixes) { $0.append($1.latitude) }
      $0.column("longitude", fixes) { $0.append($1.longitude) }
      $0.column("accuracy", fixes) { $0.append($1.accuracy) }
      $0.column("speed", fixes) { $0.append($1.speed) }
      $0.column("dropped", fixes.indices.filter { fixes[$0].isDropped }) { $0.append(Int64($1)) }
      $0.column("begins", fixes.indices.filter { fixes[$0].begins }) { $0.append(Int64($1)) }
      $0.number("estimates", estimates.count)
      $0.column("estimateTime", estimates) { $0.append(regular: $1.time) }
      $0.column("estimateLatitude", estimates) { $0.append($1.latitude) }
      $0.column("estimateLongitude", estimates) { $0.append($1.longitude) }
      $0.column("estimateAccuracy", estimates) { $0.append($1.accuracy) }
      writeInside(to: &$0)
    }
  }

  /// The probability of being inside, by fence: where it changes, and to what.
  private func writeInside(to json: inout JSONBuilder) {
    var columns: [Int: (index: ColumnWriter, share: ColumnWriter, last: UInt8)] = [:]
    var near: Set<Int> = []
    for (index, estimate) in estimates.enumerated() {
      var shares = estimate.inside
      for fence in near.sorted() where !shares.contains(where: { $0.fence == fence }) {
        shares.append((fence, 0))
      }
      for (fence, share) in shares {
        var column = columns[fence] ?? (ColumnWriter(), ColumnWriter(), 0)
        guard share != column.last else { continue }
        column.index.append(Int64(index))
        column.share.append(Int64(share))
        column.last = share
        columns[fence] = column
        if share == 0 { near.remove(fence) } else { near.insert(fence) }
      }
    }
    json.array("inside", columns.sorted { $0.key < $1.key }) { json, column in
      json.object {
        $0.number("fence", column.key)
        $0.column("index", column.value.index)
        $0.column("share", column.value.share)
      }
    }
  }
}

extension Array {
  /// Puts elements in the order of time; those of the same time keep theirs.
  fileprivate mutating func sortByTime(_ time: (Element) -> Int64) {
    let isSorted = zip(self, dropFirst()).allSatisfy { time($0) <= time($1) }
    if !isSorted { sort { time($0) < time($1) } }
  }
}
