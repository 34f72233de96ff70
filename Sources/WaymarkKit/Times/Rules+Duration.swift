public import Tracking

extension VisitRules {
  /// What counts as a visit.
  ///
  /// - Parameters:
  ///   - minimumStay: The shortest stay that is a visit.
  ///   - radius: How far from the centre of a stay the device may go without leaving, metres.
  public init(minimumStay: Duration, radius: Double = 50) {
    self.init()
    self.minimumStay = minimumStay / .seconds(1)
    self.radius = radius
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
    self.interval = interval / .seconds(1)
  }
}
