// swift-tools-version: 6.2
import PackageDescription

// A program for Linux and for Apple's systems, with a library that does not know this package. Elsewhere
// than on Linux, `import CoreLocation` is Apple's framework.
let package = Package(
  name: "portable",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    .package(name: "waymark", path: "../../..", traits: []),
    .package(path: "Geometry"),
  ],
  targets: [
    .executableTarget(
      name: "trip",
      dependencies: [
        .product(
          name: "CoreLocation", package: "waymark", condition: .when(platforms: [.linux])),
        .product(name: "Geometry", package: "Geometry"),
      ])
  ]
)
