/// An outer ring with holes.
public struct Polygon: Sendable, Hashable, Codable {
}
