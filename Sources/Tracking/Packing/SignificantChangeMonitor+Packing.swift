internal import Geodesy

extension SignificantChangeMonitor {
  static func code<Coder: StateCoder>(
    _ value: inout SignificantChangeMonitor, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var (hasAnchor, wasSaid) = (value.anchor != nil, value.anchor?.said != nil)
    try coder.code(flags: &hasAnchor, &wasSaid)
    guard hasAnchor else {
      if Coder.isReading { value.anchor = nil }
      return
    }
    var anchor = value.anchor ?? Anchor(coordinate: .blank, sigma: 0)
    try coder.code(&anchor.coordinate)
    try coder.code(&anchor.sigma)
    try coder.code(&anchor.said, if: wasSaid)
    if Coder.isReading { value.anchor = anchor }
  }
}
