internal import Geodesy

extension SignificantChangeMonitor {
  func pack(into packer: inout Packer) {
    packer.put(flags: anchor != nil, anchor?.said != nil)
    guard let anchor else { return }
    packer.put(anchor.coordinate.latitude)
    packer.put(anchor.coordinate.longitude)
    packer.put(anchor.sigma)
    if let said = anchor.said { packer.put(time: said) }
  }

  init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    let flags = try unpacker.takeFlags(2)
    guard flags[0] else { return }
    var anchor = Anchor(
      coordinate: try unpacker.takeCoordinate(), sigma: try unpacker.take(Double.self))
    if flags[1] { anchor.said = try unpacker.takeTime() }
    self.anchor = anchor
  }
}
