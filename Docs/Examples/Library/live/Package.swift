// swift-tools-version: 6.2
import PackageDescription

// A server's engine: fixes of many devices as they arrive, and time that passes without them.
let package = Package(
  name: "live",
  dependencies: [.package(name: "waymark", path: "../../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "live", dependencies: [.product(name: "WaymarkKit", package: "waymark")])
  ]
)
