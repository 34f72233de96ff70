// swift-tools-version: 6.2
import PackageDescription

// A program that prints the events of a recorded track.
let package = Package(
  name: "events",
  dependencies: [.package(name: "waymark", path: "../../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "events", dependencies: [.product(name: "WaymarkKit", package: "waymark")])
  ]
)
