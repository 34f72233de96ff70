// swift-tools-version: 6.2
import PackageDescription

// A handler of events, and its test without a receiver.
let waymark = Target.Dependency.product(name: "WaymarkKit", package: "waymark")

let package = Package(
  name: "testing",
  dependencies: [.package(name: "waymark", path: "../../../..", traits: [])],
  targets: [
    .target(name: "Gate", dependencies: [waymark]),
    .testTarget(name: "GateTests", dependencies: ["Gate", waymark]),
  ]
)
