import Geodesy
internal import Text
internal import Traces
import Tracking

/// Reads the lines of fixes with the shape of earlier lines (``RecordShapes``).
///
/// It reads only complete lines, and only those for which ``NDJSONRecord`` would report no issue.
/// It leaves all others to that, from the end of the last line on.
struct NDJSONShapes: Sendable {
  /// The kind of a value: one of these, or ``number`` and more for a field that is a number.
  private enum Kind {
    static let type: UInt8 = 1
    static let device: UInt8 = 2
    static let time: UInt8 = 3
    static let unixTime: UInt8 = 4
    static let mode: UInt8 = 5
    static let otherText: UInt8 = 6
    static let otherNumber: UInt8 = 7
    static let deviceNumber: UInt8 = 8
    static let number: UInt8 = 16
  }

  private var shapes = RecordShapes()

  /// Reads lines from `offset` on as far as their shapes are known.
  ///
  /// - Parameter line: The number of the line there, which is advanced as well.
  mutating func read(
    _ bytes: borrowing Span<UInt8>, from offset: inout Int, _ line: inout Int,
    _ devices: inout DeviceTable, into batch: inout TraceBatch
  ) {
    guard shapes.isWorthTrying() else { return }
    let start = offset
    follow(bytes, &offset, &line, &devices, &batch)
    shapes.note(hasRead: offset > start)
  }

  private func follow(
    _ bytes: borrowing Span<UInt8>, _ offset: inout Int, _ line: inout Int,
    _ devices: inout DeviceTable, _ batch: inout TraceBatch
  ) {
    var (at, node) = (offset, 0)
    var fix = NDJSONRecord.blank
    var device = 0..<0
    while let link = shapes.link(from: node, bytes, at) {
      at &+= link.length
      node = link.node
      guard node != 0 else {
        guard !fix.coordinate.latitude.isNaN, !fix.coordinate.longitude.isNaN,
          at &- offset <= NDJSONDecoder.maxLineLength
        else { return }
        let name = bytes.extracting(device)
        let number = device.isEmpty ? nil : devices.index(of: name, in: &batch.devices)
        batch.points.append(TracePoint(fix: fix, line: line, device: number))
        (offset, line) = (at, line &+ 1)
        fix = NDJSONRecord.blank
        device = 0..<0
        continue
      }
      let kind = shapes.kind(node)
      guard kind < Kind.number else {
        guard let number = JSONPlain.number(bytes, &at),
          let field = FixField(rawValue: kind &- Kind.number),
          fix.set(field, number)
        else { return }
        continue
      }
      switch kind {
      case Kind.type:
        guard at &+ 3 < bytes.count, bytes.extracting(at..<at &+ 3).equals("fix") else { return }
        at &+= 3
      case Kind.device:
        let start = at
        at = JSONPlain.textEnd(bytes, at)
        device = start..<at
      case Kind.deviceNumber:
        let start = at
        guard JSONPlain.number(bytes, &at) != nil,
          let length = NDJSONRecord.integerLength(bytes.extracting(start..<at))
        else { return }
        device = start..<start &+ length
      case Kind.time:
        guard let time = RFC3339.scan(bytes, &at) else { return }
        fix.time = time
      case Kind.unixTime:
        let start = at
        guard JSONPlain.number(bytes, &at) != nil,
          let time = TimeText.parse(bytes.extracting(start..<at))
        else { return }
        fix.time = time
      case Kind.mode:
        let start = at
        at = JSONPlain.textEnd(bytes, at)
        guard let mode = Fix.Mode.named(bytes.extracting(start..<at)) else { return }
        fix.mode = mode
      case Kind.otherText: at = JSONPlain.textEnd(bytes, at)
      default:
        guard JSONPlain.number(bytes, &at) != nil else { return }
      }
    }
  }

  /// Learns the shape of a line with its line feed, a valid fix.
  mutating func learn(_ line: borrowing Span<UInt8>) {
    shapes.learn(object: line) { member, line in
      guard let field = FixField.named(member.key, line) else {
        return member.isText ? Kind.otherText : Kind.otherNumber
      }
      switch field {
      case .type: return Kind.type
      case .device: return member.isText ? Kind.device : Kind.deviceNumber
      case .time: return member.isText ? Kind.time : Kind.unixTime
      case .mode: return Kind.mode
      default: return Kind.number + field.rawValue
      }
    }
  }
}
