// swift-tools-version: 6.2
import PackageDescription

// Stands for a library of somebody else, such as turf-swift: it uses Core Location where it finds it, and
// has no dependency on this package.
let package = Package(
  name: "Geometry",
  products: [.library(name: "Geometry", targets: ["Geometry"])],
  targets: [.target(name: "Geometry")]
)
