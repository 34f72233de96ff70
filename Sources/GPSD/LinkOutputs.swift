/// What a ``Link`` has said and nobody has taken yet, oldest first.
struct LinkOutputs: Sendable {
  private var outputs: [Link.Output] = []
  private var taken = 0

  var isEmpty: Bool { taken == outputs.count }

  mutating func append(_ output: Link.Output) { outputs.append(output) }

  mutating func removeAll() {
    outputs.removeAll(keepingCapacity: true)
    taken = 0
  }

  /// The oldest one, nil when all are taken.
  mutating func next() -> Link.Output? {
    guard taken < outputs.count else {
      // Only now are the bytes in them let go of, so that the link's buffer is its own again.
      removeAll()
      return nil
    }
    defer { taken += 1 }
    return outputs[taken]
  }
}
