public import Tracking

extension Crossing {
  /// One sigma of the time of the crossing; nil when it is unknown.
  ///
  /// The same as `timeUncertainty`, which is in seconds.
  public var timeSigma: Duration? { timeUncertainty.map { Duration(clamping: $0) } }
}

extension Visit {
  /// One sigma of the arrival; nil when the device was not seen to come.
  ///
  /// The same as `arrivalUncertainty`, which is in seconds.
  public var arrivalSigma: Duration? { arrivalUncertainty.map { Duration(clamping: $0) } }

  /// One sigma of the departure; nil while the device stays.
  ///
  /// The same as `departureUncertainty`, which is in seconds.
  public var departureSigma: Duration? { departureUncertainty.map { Duration(clamping: $0) } }
}
