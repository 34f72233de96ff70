internal import Packing

/// Packed states of many devices in few large pieces of memory.
///
/// The slot of a record that grew or is gone is used again by others, of any size.
struct PackedStates: Sendable {
  /// Where a record lies.
  struct Place: Sendable, Hashable {
    /// Of its slot in ``SlotPages``.
    var address: Int
  }

  private var slots = SlotPages()

  /// Bytes of memory, free slots included.
  var capacity: Int { slots.capacity }

  /// Keeps a record.
  /// - Complexity: O(length).
  mutating func insert(_ record: ArraySlice<UInt8>) -> Place {
    let address = slots.take(record.count)
    slots.write(record, at: address)
    return Place(address: address)
  }

  /// Replaces a record, in its slot when it fits there.
  ///
  /// - Returns: its place from now on; the old one is invalid unless it is the same.
  mutating func replace(_ place: Place, with record: ArraySlice<UInt8>) -> Place {
    guard slots.fits(record.count, place.address) else {
      remove(place)
      return insert(record)
    }
    slots.write(record, at: place.address)
    return place
  }

  /// Removes a record.
  mutating func remove(_ place: Place) {
    slots.giveBack(place.address)
  }

  /// Puts the state of a record into a tracker with the same rules.
  ///
  /// An invalid record resets the tracker.
  ///
  /// - Complexity: O(length).
  func unpack(_ place: Place, into tracker: inout Tracker) {
    withBytes(of: place) { bytes in
      var unpacker = Unpacker(bytes)
      do throws(PackedStateError) {
        try tracker.unpack(from: &unpacker)
      } catch {
        tracker = Tracker(rules: tracker.rules)
      }
    }
  }

  /// The counts that a state begins with.
  func counts(_ place: Place) -> GateCounts {
    withBytes(of: place) { bytes in
      var unpacker = Unpacker(bytes)
      return GateCounts(from: &unpacker)
    }
  }

  /// Calls `body` with the bytes of a record.
  func withBytes<Result>(
    of place: Place, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    slots.withBytes(place.address, body)
  }
}
