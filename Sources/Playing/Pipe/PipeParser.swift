internal import ArrowStreams
internal import Glibc
internal import Traces

/// Parses blocks of lines on one thread.
///
/// A device name is looked up once: fixes carry numbers, by which the shards find the device.
final class PipeParser {
  /// The shard of a device's fixes.
  private struct Route {
    var shard: Int32
    var slot: Int32
  }

  /// The names of the devices, by the numbers in the batches.
  private(set) var devices: [String]
  /// How often the names and slots were removed.
  private(set) var generation = 0

  private let number: Int
  private let shards: Int
  /// Nil for an input that has no lines.
  private var decoder: PipeDecoder?
  /// The names of an input that has no lines.
  private var names = DeviceTable()
  private let fallback: String
  private let readsStates: Bool
  private var routes: [Route] = []
  private var slots: [Int32]

  /// The most names kept; in a larger fleet a name is looked up again from time to time.
  private static let longestList = 1 << 16

  /// Makes a parser with a number of its own.
  ///
  /// - Parameters:
  ///   - fallback: The device of fixes without a device name.
  ///   - readsStates: Whether lines may hold the states of devices.
  init(number: Int, decoder: PipeDecoder?, shards: Int, fallback: String, readsStates: Bool) {
    self.number = number
    self.readsStates = readsStates
    self.decoder = decoder
    self.shards = shards
    self.fallback = fallback
    devices = [fallback]
    slots = Array(repeating: 0, count: shards)
  }

  /// Removes the names when there are many; not while blocks with their numbers are in use.
  func forgetSome() {
    guard devices.count > Self.longestList else { return }
    devices = [fallback]
    routes.removeAll(keepingCapacity: true)
    for shard in slots.indices { slots[shard] = 0 }
    generation += 1
  }

  /// Parses the lines of a block.
  func parse(_ block: PipeBlock, in bytes: [UInt8]) {
    guard var decoder else { return }
    // No copy of it.
    self.decoder = nil
    fill(block) { batch in
      block.lineShift = -decoder.lineCount
      block.lineCount = decoder.lineCount
      decoder.decode(bytes, block.range, into: &batch)
      block.lineCount = decoder.lineCount - block.lineCount
    }
    self.decoder = decoder
  }

  /// Reads the rows of a block.
  func parse(_ block: PipeBlock, in fixes: ArrowFixes) {
    fill(block) { batch in
      // The lines in the batch are those of the record batch.
      block.lineShift = -block.range.lowerBound
      block.lineCount = block.range.count
      fixes.append(block.range, &names, to: &batch)
    }
  }

  /// Fills a block with the fixes that `body` reads, and finds their shards.
  private func fill(_ block: PipeBlock, _ body: (inout TraceBatch) -> Void) {
    block.clear()
    block.parser = number
    swap(&devices, &block.batch.devices)
    body(&block.batch)
    swap(&devices, &block.batch.devices)
    while routes.count < devices.count { addRoute(to: devices[routes.count]) }
    var nextMark = 0
    for index in block.batch.points.indices {
      if readsStates { addStates(before: index, &nextMark, to: block) }
      add(index, of: block.batch.points[index].device, to: block)
    }
    if readsStates { addStates(before: .max, &nextMark, to: block) }
  }

  private func add(_ point: Int, of device: Int32?, to block: PipeBlock) {
    let route = routes[Int(device ?? 0)]
    block.entries[Int(route.shard)].append(
      PipeBlock.Entry(point: Int32(truncatingIfNeeded: point), slot: route.slot))
  }

  /// Adds the states of devices before a point, from the mark `next` on.
  private func addStates(before point: Int, _ next: inout Int, to block: PipeBlock) {
    let marks = block.batch.marks
    while next < marks.count, marks[next].before <= point {
      if case .deviceState(let record) = marks[next].mark {
        add(-1 - next, of: record.device, to: block)
      }
      next += 1
    }
  }

  private func addRoute(to device: String) {
    let shard = PipeShard.number(of: device, of: shards)
    routes.append(Route(shard: Int32(truncatingIfNeeded: shard), slot: slots[shard]))
    slots[shard] += 1
  }
}
