internal import Traces

/// Where a program appends to a recording without the state of the program before.
extension ReceiverLogDecoder {
  /// Ends all devices, which start over, as their engines did.
  mutating func restart(_ batch: inout TraceBatch) {
    let current = epochs.device
    finish(&batch)
    if batch.devices.count > 1 {
      for device in batch.devices.indices {
        batch.mark(.source(device: Int32(device)))
        batch.mark(.forgotten)
      }
      batch.mark(.source(device: current))
    } else {
      // The order of one source is not that of several.
      batch.mark(.forgotten)
    }
    guard let current else { return }
    resume(current)
    epochs.follow(current, into: &batch)
  }
}
