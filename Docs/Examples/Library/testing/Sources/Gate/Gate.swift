import WaymarkKit

/// A gate that opens when a device comes into the yard.
public struct Gate {
  /// For whom it was opened.
  public private(set) var opened: [String] = []

  /// A closed gate.
  public init() {}

  /// Opens for a sure enter.
  public mutating func handle(_ record: EventRecord) {
    guard case .enter(fence: "yard", let crossing) = record.event.statement else { return }
    if crossing.confidence ?? 0 > 0.9 { opened.append(record.device) }
  }
}
