internal import Geodesy
internal import Packing

extension SignificantChangeMonitor {
  static func code<Coder: StateCoder>(
    _ value: inout SignificantChangeMonitor, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var (hasReference, wasReported) = (value.reference != nil, value.reference?.reported != nil)
    try coder.code(flags: &hasReference, &wasReported)
    guard hasReference else {
      if Coder.isReading { value.reference = nil }
      return
    }
    var reference = value.reference ?? Reference(coordinate: .blank, sigma: 0)
    try coder.code(&reference.coordinate)
    try coder.code(&reference.sigma)
    try coder.code(&reference.reported, if: wasReported)
    if Coder.isReading { value.reference = reference }
  }
}
