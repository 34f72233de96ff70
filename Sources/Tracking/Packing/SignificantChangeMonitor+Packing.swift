internal import Geodesy
internal import Packing

extension SignificantChangeMonitor {
  static func code<Coder: StateCoder>(
    _ value: inout SignificantChangeMonitor, _ coder: inout Coder
  ) {
    var (hasReference, wasReported) = (value.reference != nil, value.reference?.reported != nil)
    coder.code(flags: &hasReference, &wasReported)
    guard hasReference else {
      if Coder.isReading { value.reference = nil }
      return
    }
    var reference = value.reference ?? Reference(coordinate: .blank, sigma: 0)
    coder.code(&reference.coordinate)
    coder.code(&reference.sigma)
    coder.code(&reference.reported, if: wasReported)
    if Coder.isReading { value.reference = reference }
  }
}
