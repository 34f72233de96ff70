import WaymarkKit

/// The part of a server that owns the engine: it runs until its source of fixes ends or its task is
/// cancelled.
struct TrackingService: Sendable {
  let engine: LiveEngine
  let fixes: AsyncStream<(device: String, fix: Fix)>

  func run() async throws {
    for await (device, fix) in fixes {
      await engine.take(fix, of: device)
    }
  }
}
