import Testing

@testable import Geodesy

@Suite("Straight lines on the map")
struct PlaneSegmentTests {
  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> PlaneSegment {
    PlaneSegment(start: PlanePoint(x: x1, y: y1), end: PlanePoint(x: x2, y: y2))
  }

  @Test("lines meet in a point, along a part, or not at all")
  func meeting() {
    let diagonal = line(0, 0, 2, 2)
    #expect(diagonal.meets(line(0, 2, 2, 0)) && diagonal.meets(line(2, 2, 3, 0)))
    #expect(!diagonal.meets(line(5, 5, 6, 7)) && !diagonal.meets(line(0, 1, 1, 2)))
    #expect(diagonal.fractions(of: line(0, 2, 2, 0)) == (0.5, nil))
    #expect(diagonal.fractions(of: line(0, 1, 1, 2)) == (nil, nil))
    #expect(diagonal.fractions(of: line(1, 1, 3, 3)) == (0.5, 1))
    #expect(diagonal.fractions(of: line(5, 4, 6, 2)) == (nil, nil))
    #expect(line(1, 1, 1, 1).projection(PlanePoint(x: 3, y: 3)) == 0)
  }

  @Test("a touch is not a crossing, an overlap is")
  func crossing() {
    let diagonal = line(0, 0, 2, 2)
    #expect(diagonal.crossesOrCovers(line(0, 2, 2, 0)))
    #expect(diagonal.crossesOrCovers(line(1, 1, 3, 3)))
    #expect(!diagonal.crossesOrCovers(line(2, 2, 3, 3)))
    #expect(!diagonal.crossesOrCovers(line(1, 1, 2, 0)))
    #expect(!diagonal.crossesOrCovers(line(5, 5, 6, 7)))
  }
}
