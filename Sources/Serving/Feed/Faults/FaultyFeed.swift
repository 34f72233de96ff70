package import Traces
package import Tracking

/// A source in which the faults of a script happen.
///
/// All times are those at which items are due, so that the same source and the same script give the same
/// items at any speed.
package struct FaultyFeed<Source: FeedSource>: FeedSource {
  private var source: Source
  /// Items that were lost in silences.
  private var silenced = 0
  private let faults: [Fault]
  private var next = 0
  private var start: Timestamp?
  /// The item that waits for the faults before it.
  private var held: (item: FeedItem, due: Timestamp)?
  private var silentUntil: Timestamp?
  private var clock: Int64 = 0

  package init(_ source: Source, _ script: FaultScript) {
    self.source = source
    faults = script.faults
  }

  package var begin: Timestamp? {
    get { source.begin }
    set { source.begin = newValue }
  }

  package var issues: Int { source.issues }

  package var remarks: [String] {
    let late = faults[next...]
    return source.remarks
      + (silenced > 0 ? ["\(silenced) lost in silences of --fault"] : [])
      + (late.isEmpty
        ? []
        : [
          "\(late.count) of \(faults.count) faults never happened, the first that of line "
            + "\(late.first?.line ?? 0): they are due after the end"
        ])
  }

  package var mayWait: Bool { held == nil && source.mayWait }

  package mutating func takeNewDevices() -> [ServedDevice] { source.takeNewDevices() }

  package mutating func nextItem() throws(TraceError) -> (item: FeedItem, due: Timestamp)? {
    while true {
      let step: (item: FeedItem, due: Timestamp)
      if let held {
        step = held
      } else {
        guard let more = try source.nextItem() else { return nil }
        step = more
      }
      held = nil
      let start = start ?? step.due
      self.start = start
      if next < faults.count {
        let due = start.advanced(bySeconds: faults[next].time)
        if due <= step.due {
          held = step
          if let item = begin(faults[next], due) { return (item, due) }
          continue
        }
      }
      if let silentUntil, step.due < silentUntil {
        silenced += 1
        continue
      }
      return (step.item.shifted(bySeconds: clock), step.due)
    }
  }

  /// Begins a fault; returns what it sends.
  private mutating func begin(_ fault: Fault, _ due: Timestamp) -> FeedItem? {
    next += 1
    switch fault.kind {
    case .silence(let seconds):
      let end = due.advanced(bySeconds: seconds)
      silentUntil = max(silentUntil ?? end, end)
      return nil
    case .junk(let count): return .junk(Self.junk(count, line: fault.line))
    case .clock(let seconds):
      clock += seconds
      return nil
    case .disconnect: return .disconnect
    }
  }

  /// Bytes of any value that look like chance and are the same each time (Vigna's SplitMix64).
  private static func junk(_ count: Int, line: Int) -> [UInt8] {
    var state = UInt64(clamping: line)
    return (0..<count).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return UInt8(truncatingIfNeeded: mixed ^ mixed >> 31)
    }
  }
}

extension FeedItem {
  /// The same item with its times that many seconds later.
  fileprivate func shifted(bySeconds shift: Int64) -> FeedItem {
    switch self {
    case .fix(var served):
      served.fix.time = served.fix.time.flatMap { $0.shifted(bySeconds: shift) }
      return .fix(served)
    case .line(let line): return .line(line.shifted(bySeconds: shift))
    case .junk, .disconnect: return self
    }
  }
}
