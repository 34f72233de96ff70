internal import Formats
internal import FoundationEssentials
internal import Session
internal import Text

/// The state of a device as a line among the fixes and among the events.
///
/// `{"type":"device-state","device":"van","state":"…"}`, with the bytes of ``DeviceState`` in base64.
package enum DeviceStateLine {
  /// Why a line cannot be used or written.
  package enum Failure: Error, CustomStringConvertible {
    case unnamed
    case late(device: String)
    case notBase64
    case tooLong(device: String, count: Int)

    package var description: String {
      switch self {
      case .unnamed: "the state names no device"
      case .late(let device):
        "the state of '\(device)' comes after a fix or a state of it, expected it first"
      case .notBase64: "the state is not base64"
      case .tooLong(let device, let count):
        "the state of '\(device)' is a line of \(count) bytes, of which "
          + "\(NDJSONDecoder.maxLineLength) are read; use --state FILE"
      }
    }
  }

  /// The packed state in the text of a line.
  static func packed(in text: String, fences: UInt64) throws -> ArraySlice<UInt8> {
    guard let bytes = Data(base64Encoded: text) else { throw Failure.notBase64 }
    return try DeviceState.packed(in: Array(bytes), fences: fences)
  }

  static func append(
    _ device: String, _ state: [UInt8], to buffer: inout [UInt8]
  ) throws(Failure) {
    var line = Array(#"{"type":"device-state","device":"#.utf8)
    JSONText.append(device, to: &line)
    line.append(contentsOf: #","state":""#.utf8)
    line.append(contentsOf: Data(state).base64EncodedString().utf8)
    line.append(contentsOf: "\"}\n".utf8)
    guard line.count <= NDJSONDecoder.maxLineLength else {
      throw .tooLong(device: device, count: line.count)
    }
    buffer.append(contentsOf: line)
  }
}
