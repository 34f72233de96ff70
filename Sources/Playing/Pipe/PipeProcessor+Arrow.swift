internal import ArrowStreams
internal import EventLog
internal import Session
internal import System

/// Arrow streams in the place of lines; and the store, which gets the same entries.
extension PipeProcessor {
  /// What reads and writes the streams, and the beginning of the one that is written.
  ///
  /// - Parameter most: The most rows of a round.
  static func arrow(
    _ options: PipeOptions, most: Int
  ) throws(SessionError) -> (input: PipeArrowInput?, events: ArrowEventWriter?, schema: [UInt8]) {
    var schema: [UInt8] = []
    do throws(ArrowStreamError) {
      let input = options.input == .arrow ? try PipeArrowInput(most: most) : nil
      let events = options.writesArrow ? try ArrowEventWriter() : nil
      try events?.begin(to: &schema)
      return (input, events, schema)
    } catch {
      throw .limit(error.description)
    }
  }

  /// Keeps and writes the entries of a round, then forgets them.
  mutating func keepEntries() throws(SessionError) {
    guard store != nil || events != nil else { return }
    if let store {
      let kept = events == nil ? stored : stored.filter { options.storedKinds.contains($0.kind) }
      try SessionError.storing { () throws(EntryStoreError) in try store.keep(kept) }
    }
    let written = stored.filter { options.kinds.contains($0.kind) }
    stored.removeAll(keepingCapacity: true)
    do throws(ArrowStreamError) {
      try events?.append(written, to: &buffer)
    } catch {
      throw .limit(error.description)
    }
  }

  /// Ends the stream of events.
  mutating func endEvents() throws(SessionError) {
    guard let events else { return }
    do throws(ArrowStreamError) {
      try events.end(to: &buffer)
    } catch {
      throw .limit(error.description)
    }
    try write()
  }
}
