// swift-tools-version: 6.2
import PackageDescription

// Programs that use locations. In your own package the dependency is a URL instead of a path.
let coreLocation = Target.Dependency.product(name: "CoreLocation", package: "waymark")

let package = Package(
  name: "examples",
  dependencies: [.package(name: "waymark", path: "../..", traits: [])],
  targets: [
    // The program from the guide's five-minute tour, word for word.
    .executableTarget(name: "van", dependencies: [coreLocation]),
    .executableTarget(name: "track", dependencies: [coreLocation]),
    .executableTarget(name: "fence", dependencies: [coreLocation]),
    .executableTarget(name: "visits", dependencies: [coreLocation]),
    .target(name: "Round", dependencies: [coreLocation]),
    .testTarget(name: "RoundTests", dependencies: ["Round", coreLocation]),
  ]
)
