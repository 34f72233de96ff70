internal import Text

/// The devices of a live run as a server keeps them: the state and the last positions of each.
///
/// It is bounded, whatever the run publishes. Each change has a number, so a stream that lags gets the present
/// state of what has changed since, and nothing twice.
struct WebDevices: Sendable {
  private struct Device: Sendable {
    var status: [UInt8]
    /// The number of its last change.
    var change: Int
    let isSource: Bool
    /// The number of its first change.
    let first: Int
  }

  /// A device that is not kept any more.
  private struct Gone: Sendable {
    let device: String
    let change: Int
  }

  private var devices: [ExactText: Device] = [:]
  private var gone: [Gone] = []
  private var tracks: WebTracks
  private let most: Int
  /// The number of the last change.
  private(set) var lastChange = 0

  /// The most devices that are not kept any more and are still named to streams that lag.
  private static let mostGone = 1_000

  init(limits: WebLimits) {
    most = limits.devices
    tracks = WebTracks(most: limits.positions)
  }

  var count: Int { devices.count }

  // MARK: Changes

  /// Takes the state of a device; for a new one too many, the one that changed least recently goes.
  mutating func take(_ state: WebState) {
    let name = ExactText(state.device)
    let known = devices[name]
    if known == nil, devices.count >= most, let idlest { forget(idlest.text) }
    lastChange += 1
    devices[name] = Device(
      status: state.status, change: lastChange, isSource: state.isSource,
      first: known?.first ?? lastChange)
  }

  /// Takes positions of a device, unless it is not known.
  mutating func take(_ positions: ArraySlice<[UInt8]>, of device: String) {
    guard devices[ExactText(device)] != nil else { return }
    for position in positions { tracks.append(position, of: device) }
  }

  mutating func forget(_ device: String) {
    guard devices.removeValue(forKey: ExactText(device)) != nil else { return }
    tracks.remove(device)
    lastChange += 1
    gone.append(Gone(device: device, change: lastChange))
    if gone.count > Self.mostGone { gone.removeFirst() }
  }

  /// The device that changed least recently; one of a source only when there is no other.
  private var idlest: ExactText? {
    devices.min { a, b in
      a.value.isSource == b.value.isSource
        ? a.value.change < b.value.change : b.value.isSource
    }?.key
  }

  // MARK: What is asked for

  /// A part of the changes after a number, as messages of the stream, and the number of the last of them.
  ///
  /// - Parameters:
  ///   - opening: Devices that went until this change are left out.
  ///   - bytes: The length of a part, which has at least one change if there is one.
  func changes(
    after change: Int, opening: Int, bytes: Int
  ) -> (messages: [String], last: Int) {
    guard change < lastChange else { return ([], change) }
    var changes: [(number: Int, name: String, status: [UInt8]?)] = []
    for (name, device) in devices where device.change > change {
      changes.append((device.change, name.text, device.status))
    }
    for device in gone where device.change > max(change, opening) {
      changes.append((device.change, device.device, nil))
    }
    changes.sort { $0.number < $1.number }
    var (messages, last, sum) = ([] as [String], change, 0)
    for change in changes {
      guard sum < bytes else { return (messages, last) }
      messages.append(change.status.map(Self.message) ?? Self.message(gone: change.name))
      last = change.number
      sum += messages.last?.utf8.count ?? 0
    }
    return (messages, max(last, lastChange))
  }

  private static func message(_ status: [UInt8]) -> String {
    "event: status\ndata: \(String(decoding: status, as: UTF8.self))\n\n"
  }

  /// A message with positions of a device.
  static func message(_ positions: ArraySlice<[UInt8]>, of device: String) -> String {
    "event: track\ndata: \(String(decoding: object(positions, of: device), as: UTF8.self))\n\n"
  }

  private static func object(_ positions: ArraySlice<[UInt8]>, of device: String) -> [UInt8] {
    var text = Array("{\"device\":".utf8)
    JSONText.append(device, to: &text)
    text += Array(",\"positions\":[".utf8)
    text += positions.joined(separator: [UInt8(ascii: ",")])
    return text + Array("]}".utf8)
  }

  private static func message(gone device: String) -> String {
    var name: [UInt8] = []
    JSONText.append(device, to: &name)
    return "event: forgotten\ndata: {\"device\":\(String(decoding: name, as: UTF8.self))}\n\n"
  }

  /// The states in the order of the status file: those of sources, then the others, newest first.
  var states: [[UInt8]] {
    devices.values.sorted { a, b in
      guard a.isSource == b.isSource else { return a.isSource }
      return a.isSource ? a.first < b.first : a.change > b.change
    }.map(\.status)
  }

  /// The devices and their last positions as a JSON array, in the order in which the devices appeared.
  var track: [UInt8] {
    let tracks = tracks.all()
    var text = Array("[".utf8)
    for (name, _) in devices.sorted(by: { $0.value.first < $1.value.first }) {
      guard let positions = tracks[name], !positions.isEmpty else { continue }
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += Self.object(positions, of: name.text)
    }
    return text + Array("]\n".utf8)
  }
}
