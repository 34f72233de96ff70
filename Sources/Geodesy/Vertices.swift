/// Coordinates in sequence, in immutable memory: their own, or that of a mapped file.
package struct Vertices: RandomAccessCollection, @unchecked Sendable {
  // Unchecked: the memory is only read, and kept alive by the owner.
  private let base: UnsafePointer<Coordinate>?
  private let owner: (any AnyObject & Sendable)?
  /// The number of vertices.
  package let count: Int

  /// A copy of an array.
  init(_ coordinates: [Coordinate]) {
    let memory = VertexMemory(coordinates)
    (base, owner, count) = (memory.base, memory, coordinates.count)
  }

  /// Those in memory that `owner` keeps alive and unchanged.
  package init(_ coordinates: UnsafeBufferPointer<Coordinate>, owner: any AnyObject & Sendable) {
    (base, self.owner, count) = (coordinates.baseAddress, owner, coordinates.count)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  @inline(__always)
  package subscript(index: Int) -> Coordinate {
    // As for an array, an index out of range is a programmer error.
    guard let base, index >= 0, index < count else { preconditionFailure("no such vertex") }
    return base[index]
  }
}

/// Memory that owns a copy of coordinates.
private final class VertexMemory: @unchecked Sendable {
  // Unchecked: it is written only once, here.
  private let memory: UnsafeMutableBufferPointer<Coordinate>

  init(_ coordinates: [Coordinate]) {
    memory = .allocate(capacity: coordinates.count)
    _ = memory.initialize(from: coordinates)
  }

  var base: UnsafePointer<Coordinate>? { memory.baseAddress.map { UnsafePointer($0) } }

  deinit { memory.deallocate() }
}

/// The points of a ring on the map; the first is repeated at the end.
struct PlanePoints: RandomAccessCollection, Sendable {
  /// As latitude and unwrapped longitude.
  private let vertices: Vertices
  /// Whether the closing point is stored.
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
