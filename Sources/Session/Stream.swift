internal import Tracking
internal import Traces

/// One trace as a stream of inputs: which device each fix is of, and when the next one is due.
struct Stream {
  let feed: TraceFeed
  let source: Int
  /// The device of fixes whose trace names none, once it is known.
  private(set) var device: Int?
  /// Numbers of the devices that the trace names, by its own numbers.
  private var named: [Int] = []
  /// When the next input is due, in trace time; never far behind the one before.
  private(set) var due = Timestamp(nanoseconds: .min)
  /// The time of the last fix that had one.
  private(set) var lastTime: Timestamp?
  /// Issues found so far; beyond a bound they are only counted.
  private(set) var issues = 0

  init(feed: TraceFeed, source: Int) {
    self.feed = feed
    self.source = source
  }

  /// The device whose silence may say something: that of a trace of one device.
  var quietDevice: Int? { feed.namesDevices ? nil : device }

  /// Finds out when the next fix is due; false at the end of the trace.
  ///
  /// A fix without time is due at once, and so is one whose clock leapt ahead: the engine has to
  /// see it to judge it, and other streams must not wait for a wrong date.
  mutating func schedule(leap: Double) throws(TraceError) -> Bool {
    guard let point = try feed.peek() else { return false }
    guard let time = point.fix.time else { return true }
    if let lastTime, time.seconds(since: lastTime) > leap {
      self.lastTime = time
      return true
    }
    lastTime = time
    due = time
    return true
  }

  /// The device of a point; `name` gives the one for traces that name none.
  mutating func device(
    of point: TracePoint, _ session: inout Session, name: (TraceFeed) -> String
  ) -> Int {
    guard let index = point.device else {
      if let device { return device }
      let made = session.index(of: name(feed))
      device = made
      return made
    }
    while named.count < feed.devices.count {
      named.append(session.index(of: feed.devices[named.count]))
    }
    return named[Int(index)]
  }

  /// Counts an issue and says how many there are now.
  mutating func countIssue() -> Int {
    issues += 1
    return issues
  }
}
