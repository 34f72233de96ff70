public import Tracking

/// The spans of the rules as durations: the same values as the properties in seconds.
///
/// A number of seconds that no duration can hold, such as infinity, is held at the ends of its range (some
/// 292 billion years).
extension Rules {
  /// The same as `dwellPatience`, which is in seconds.
  public var dwellPatienceTime: Duration {
    get { Duration(clamping: dwellPatience) }
    set { dwellPatience = newValue / .seconds(1) }
  }

  /// The same as `passageGap`, which is in seconds.
  public var passageGapTime: Duration {
    get { Duration(clamping: passageGap) }
    set { passageGap = newValue / .seconds(1) }
  }

  /// The same as `memory`, which is in seconds.
  public var memoryTime: Duration {
    get { Duration(clamping: memory) }
    set { memory = newValue / .seconds(1) }
  }
}

extension GateLimits {
  /// The same as `clockJump`, which is in seconds.
  public var clockJumpTime: Duration {
    get { Duration(clamping: clockJump) }
    set { clockJump = newValue / .seconds(1) }
  }

  /// The same as `lateness`, which is in seconds.
  public var latenessTime: Duration {
    get { Duration(clamping: lateness) }
    set { lateness = newValue / .seconds(1) }
  }

  /// The same as `silence`, which is in seconds.
  public var silenceTime: Duration {
    get { Duration(clamping: silence) }
    set { silence = newValue / .seconds(1) }
  }
}

extension VisitRules {
  /// What counts as a visit.
  ///
  /// - Parameters:
  ///   - minimumStay: The shortest stay that is a visit.
  ///   - radius: How far from the centre of a stay the device may go without leaving, metres.
  public init(minimumStay: Duration, radius: Double = 50) {
    self.init()
    minimumStayTime = minimumStay
    self.radius = radius
  }

  /// The same as `minimumStay`, which is in seconds.
  public var minimumStayTime: Duration {
    get { Duration(clamping: minimumStay) }
    set { minimumStay = newValue / .seconds(1) }
  }
}

extension SignificantChangeRules {
  /// What counts as a significant change of place.
  ///
  /// - Parameters:
  ///   - distance: From the position that was last reported, metres.
  ///   - interval: The shortest time between two of them.
  public init(distance: Double, interval: Duration = .seconds(300)) {
    self.init()
    self.distance = distance
    intervalTime = interval
  }

  /// The same as `interval`, which is in seconds.
  public var intervalTime: Duration {
    get { Duration(clamping: interval) }
    set { interval = newValue / .seconds(1) }
  }
}
