internal import Geodesy
internal import Synchronization

/// The polygons of a table: each is made at its first use, and kept.
///
/// So a set with a million polygons is ready at once.
final class LazyShapes: @unchecked Sendable {
  // Unchecked: the columns are memory that nobody changes, which the table keeps, and what is made
  // is put in its place in one step.
  private let columns: ShapeReader
  // Pointers to retained objects; nil before they are made. `AtomicLazyReference` looks up the metadata of
  // its type at every load, which costs more than the rest of a fix at a fence.
  private let made: UnsafeMutableBufferPointer<Atomic<UnsafeRawPointer?>>

  /// A polygon that is ready, with its box.
  private final class Made: Sendable {
    let area: Area
    let box: Box?

    init(_ area: Area) { (self.area, box) = (area, area.boundingBox) }
  }

  init(_ columns: ShapeReader) {
    self.columns = columns
    made = .allocate(capacity: columns.shapeEnds.count)
    for shape in made.indices { made.initializeElement(at: shape, to: Atomic(nil)) }
  }

  deinit {
    for shape in made.indices {
      made[shape].load(ordering: .acquiring).map { Unmanaged<Made>.fromOpaque($0).release() }
    }
    made.deinitialize()
    made.deallocate()
  }

  /// A shape by its number; one without polygons for numbers and columns that are damaged.
  func area(_ shape: Int) -> Area {
    guard made.indices.contains(shape) else { return .polygons([]) }
    return object(shape).takeUnretainedValue().area
  }

  /// The box of a shape; nil for one without polygons.
  func box(_ shape: Int) -> Box? {
    guard made.indices.contains(shape) else { return nil }
    return object(shape).takeUnretainedValue().box
  }

  /// When several threads make the same one at the same time, one of them is kept.
  private func object(_ shape: Int) -> Unmanaged<Made> {
    if let known = made[shape].load(ordering: .acquiring) { return .fromOpaque(known) }
    let new = Unmanaged.passRetained(Made(columns.area(shape) ?? .polygons([])))
    let (isKept, other) = made[shape].compareExchange(
      expected: nil, desired: UnsafeRawPointer(new.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isKept, let other else { return new }
    new.release()
    return .fromOpaque(other)
  }
}
