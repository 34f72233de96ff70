internal import Geodesy
internal import Synchronization

/// The polygons of a table: each is made at its first use, and kept.
///
/// So a set with a million polygons is ready at once.
final class LazyShapes: @unchecked Sendable {
  // Unchecked: the columns are memory that nobody changes, which the table keeps, and what is made
  // is put in its place in one step.
  private let columns: ShapeReader
  private let made: UnsafeMutableBufferPointer<AtomicLazyReference<Made>>

  private final class Made: Sendable {
    let area: Area

    init(_ area: Area) { self.area = area }
  }

  init(_ columns: ShapeReader) {
    self.columns = columns
    made = .allocate(capacity: columns.shapeEnds.count)
    for shape in made.indices { made.initializeElement(at: shape, to: AtomicLazyReference()) }
  }

  deinit {
    made.deinitialize()
    made.deallocate()
  }

  /// A shape by its number; one without polygons for numbers and columns that are damaged.
  ///
  /// When several threads make the same one at the same time, one of them is kept.
  func area(_ shape: Int) -> Area {
    guard made.indices.contains(shape) else { return .polygons([]) }
    if let made = made[shape].load() { return made.area }
    return made[shape].storeIfNil(Made(columns.area(shape) ?? .polygons([]))).area
  }
}
