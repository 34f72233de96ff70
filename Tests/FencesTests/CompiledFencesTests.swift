import Geodesy
import TestSupport
import Testing

@testable import Fences

@Suite("Compiled fences")
struct CompiledFencesTests {
  @Test("compiled fences are the fences")
  func roundTrip() throws {
    for set in [try Self.set(), FenceSet()] {
      let bytes = Self.compiled(set)
      let opened = try FenceSet(compiled: bytes)
      #expect(opened == set)
      #expect(Self.compiled(opened) == bytes)
      #expect(bytes.count == set.byteCount)
      for (index, fence) in set.enumerated() {
        #expect(opened.index(ofID: fence.id) == index)
        for box in [fence.area.boundingBox].compactMap({ $0 }) {
          let place = Coordinate(latitude: box.south, longitude: box.west)
          #expect(Self.containing(opened, place) == Self.containing(set, place))
        }
      }
    }
  }

  @Test("the same fences give the same bytes")
  func deterministic() throws {
    #expect(Self.compiled(try Self.set()) == Self.compiled(try Self.set()))
  }

  @Test("what is no file of fences, or of another sort, is said to be so")
  func foreign() throws {
    let bytes = Self.compiled(try Self.set())
    func error(_ change: (inout [UInt8]) -> Void) -> FenceFileError? {
      var bytes = bytes
      change(&bytes)
      do throws(FenceFileError) {
        _ = try FenceSet(compiled: bytes)
        return nil
      } catch {
        return error
      }
    }
    #expect(error { _ in } == nil)
    #expect(error { $0 = [] } == .noFenceFile)
    #expect(error { $0 = Array("{\"type\":\"FeatureCollection\"}".utf8) } == .noFenceFile)
    #expect(error { $0 = Array($0[..<8].reversed()) + $0[8...] } == .otherByteOrder)
    #expect(error { $0[8] = 1 } == .otherVersion(1))
    #expect(error { $0.removeLast() } == .truncated(size: bytes.count - 1, wanted: bytes.count))
    #expect(error { $0 = Array($0[..<100]) } == .truncated(size: 100, wanted: nil))
    #expect(error { $0[24] ^= 1 } == .damagedHead)
    #expect(error { $0[$0.count - 1] ^= 1 } == .damagedContents)
    #expect(error { $0[400] ^= 1 } == .damagedContents)
  }

  @Test("whatever is damaged, nothing is read that is not there", arguments: 1...8)
  func damaged(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let set = try Self.set()
    let sound = Self.compiled(set)
    var opened = 0
    for _ in 0..<300 {
      // The head stays, so that the damage is met on the way.
      let memory = FenceMemory(size: sound.count)
      sound.withUnsafeBytes { memory.bytes.copyMemory(from: $0) }
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let place = Int.random(in: FenceLayout.headerSize..<sound.count, using: &random)
        memory.bytes[place] ^= UInt8.random(in: 1...255, using: &random)
      }
      guard
        let damaged = try? FenceSet(
          compiled: UnsafeRawBufferPointer(memory.bytes), owner: memory)
      else { continue }
      opened += 1
      #expect(throws: FenceFileError.damagedContents, "seed \(seed)") { try damaged.verify() }
      for fence in set.shuffled(using: &random).prefix(10) {
        _ = damaged.index(ofID: fence.id)
        guard let box = fence.area.boundingBox else { continue }
        let place = Coordinate(latitude: box.south, longitude: box.west)
        #expect(Self.containing(damaged, place).allSatisfy(damaged.indices.contains))
        damaged.forEachFence(near: box) { _ = damaged[$0] }
      }
    }
    #expect(opened > 0, "seed \(seed)")
  }

  @Test("polygons are those that were compiled, whoever asks for them first")
  func polygons() async throws {
    var random = SeededGenerator(seed: 9)
    let fences = try (0..<120).map { number in
      let (latitude, longitude) = (Double(number % 12) - 6, 179 + Double(number / 12) / 5)
      let count = Int.random(in: 3...30, using: &random)
      let corners = (0..<count).map { corner in
        Coordinate(latitude: latitude, longitude: longitude > 180 ? longitude - 360 : longitude)
          .destination(
            bearing: 360 * (Double(corner) + .random(in: 0..<1, using: &random)) / Double(count),
            distance: .random(in: 5_000...60_000, using: &random))
      }
      let polygon = try Polygon(exterior: corners)
      return Fence(id: "\(number)", area: .polygons([polygon]))
    }
    let places = (0..<600).map { _ in
      Coordinate(
        latitude: .random(in: -7...6, using: &random),
        longitude: .random(in: 178...180, using: &random) * (Bool.random(using: &random) ? 1 : -1))
    }
    let wanted = places.map { place in
      fences.indices.filter { fences[$0].area.contains(place) }
    }
    #expect(wanted.contains { $0.count > 1 })
    let opened = try FenceSet(compiled: Self.compiled(try FenceSet(fences)))
    await withTaskGroup(of: [[Int]].self) { group in
      for _ in 0..<4 {
        group.addTask { places.map { Self.containing(opened, $0) } }
      }
      for await found in group { #expect(found == wanted) }
    }
    #expect(Array(opened) == fences)
  }

  private static func set() throws -> FenceSet {
    var random = SeededGenerator(seed: 5)
    var fences = (0..<200).map { number in
      let center = Coordinate(
        latitude: .random(in: 50...50.1, using: &random),
        longitude: .random(in: 8...8.1, using: &random))
      let radius = Double.random(in: 10...3_000, using: &random)
      return Fence(id: "fence \(number)", area: .circle(Circle(center: center, radius: radius)))
    }
    let corners = [(50.0, 8.0), (50.02, 8.0), (50.01, 8.03)].map {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
    let hole = [(50.009, 8.01), (50.012, 8.01), (50.01, 8.02)].map {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
    fences[7].area = .polygons([try Polygon(exterior: corners, holes: [hole])])
    fences[8].area = .polygons([
      try Polygon(exterior: hole), try Polygon(exterior: corners, holes: [hole]),
    ])
    fences[9].dwell = 60_000_000_000
    fences[9].decision = .naive
    return try FenceSet(fences)
  }

  private static func compiled(_ set: FenceSet) -> [UInt8] {
    var bytes: [UInt8] = []
    set.writeCompiled { bytes += $0 }
    return bytes
  }

  private static func containing(_ set: FenceSet, _ place: Coordinate) -> [Int] {
    var found: [Int] = []
    set.forEachFence(containing: place) { found.append($0) }
    return found
  }
}
