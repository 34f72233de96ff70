/// The pending outputs of a ``Link``, oldest first.
struct LinkOutputs: Sendable {
  private var outputs: [Link.Output] = []
  private var taken = 0

  var isEmpty: Bool { taken == outputs.count }

  mutating func append(_ output: Link.Output) { outputs.append(output) }

  mutating func removeAll() {
    outputs.removeAll(keepingCapacity: true)
    taken = 0
  }

  /// Removes and returns the oldest output; nil when there is none.
  mutating func next() -> Link.Output? {
    guard taken < outputs.count else {
      // Releases the bytes in the outputs, so the link's buffer is uniquely referenced again.
      removeAll()
      return nil
    }
    defer { taken += 1 }
    return outputs[taken]
  }
}
