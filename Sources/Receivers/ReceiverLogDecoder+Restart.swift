internal import Traces

/// Where a program appends to a recording without the state of the program before.
extension ReceiverLogDecoder {
  /// Ends all devices, which start over, as their engines did.
  mutating func restart(_ batch: inout TraceBatch) {
    let (current, known) = (epochs.device, batch.points.count)
    finish(&batch, namesOthers: heard.isShared)
    heard.note(batch.points[known...])
    // Several names of one source since the last restart have an engine each, too.
    if heard.isShared || heard.devices.count > 1 {
      // Not those that are only named: there may be very many, and such lines too.
      for device in heard.devices.sorted() {
        batch.mark(.source(device: device))
        batch.mark(.forgotten)
      }
      batch.mark(.source(device: current))
    } else {
      // The order of one source is not that of several.
      batch.mark(.forgotten)
    }
    heard.forget()
    guard let current else { return }
    resume(current)
    epochs.follow(current, into: &batch)
  }

  /// Says whose marks the following ones are, as several sources share the recording.
  mutating func turn(to device: Int32?, _ batch: inout TraceBatch) {
    heard.isShared = true
    batch.mark(.source(device: device))
  }
}

/// The devices of a recording that had positions since their engines started over.
struct HeardDevices: Sendable {
  private(set) var devices: Set<Int32> = []
  private var last: Int32?
  /// Whether what comes next is of before they were forgotten: the points of the line that said so.
  private var isLeft = false
  /// Whether they are of several sources, not of one whose device has been renamed.
  var isShared = false

  mutating func note(_ points: ArraySlice<TracePoint>) {
    guard !isLeft else { return isLeft = false }
    for point in points where point.device != last {
      guard let device = point.device else { continue }
      devices.insert(device)
      last = device
    }
  }

  mutating func forget() { (devices, last, isLeft) = ([], nil, true) }
}
