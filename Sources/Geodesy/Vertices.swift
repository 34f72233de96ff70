/// Places one behind the other, in memory that nobody changes: of their own, or a mapped file's.
package struct Vertices: RandomAccessCollection, @unchecked Sendable {
  // Unchecked: the memory is only read, and kept by the owner.
  private let base: UnsafePointer<Coordinate>?
  private let owner: (any AnyObject & Sendable)?
  /// How many there are.
  package let count: Int

  /// Those of an array, as a copy.
  init(_ places: [Coordinate]) {
    let memory = VertexMemory(places)
    (base, owner, count) = (memory.base, memory, places.count)
  }

  /// Those that lie in memory which `owner` keeps, unchanged.
  package init(_ places: UnsafeBufferPointer<Coordinate>, owner: any AnyObject & Sendable) {
    (base, self.owner, count) = (places.baseAddress, owner, places.count)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  @inline(__always)
  package subscript(index: Int) -> Coordinate {
    // As of an array: an index that is none of its own is a fault of who asks.
    guard let base, index >= 0, index < count else { preconditionFailure("no such vertex") }
    return base[index]
  }
}

/// Memory of its own for places.
private final class VertexMemory: @unchecked Sendable {
  // Unchecked: it is written here, once.
  private let memory: UnsafeMutableBufferPointer<Coordinate>

  init(_ places: [Coordinate]) {
    memory = .allocate(capacity: places.count)
    _ = memory.initialize(from: places)
  }

  var base: UnsafePointer<Coordinate>? { memory.baseAddress.map { UnsafePointer($0) } }

  deinit { memory.deallocate() }
}

/// The points of a ring on the map, the first one at the end again.
struct PlanePoints: RandomAccessCollection, Sendable {
  /// As latitude and unwrapped longitude.
  private let vertices: Vertices
  /// Whether the last point is written.
  private let isClosed: Bool

  init(_ vertices: Vertices, isClosed: Bool) {
    (self.vertices, self.isClosed) = (vertices, isClosed)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { vertices.count + (isClosed || vertices.isEmpty ? 0 : 1) }

  @inline(__always)
  subscript(index: Int) -> PlanePoint {
    let vertex = vertices[index < vertices.count ? index : index - vertices.count]
    return PlanePoint(x: vertex.longitude, y: vertex.latitude)
  }
}
