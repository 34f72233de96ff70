// swift-tools-version: 6.2
import PackageDescription

// A config file, types of Foundation, and a target whose name this package has as well.
//
// SwiftPM wants the names of all targets to differ, unless the product is given other names for its own.
let names = ["Tracking": "WaymarkTracking"]

let package = Package(
  name: "settings",
  dependencies: [.package(name: "waymark", path: "../../../..", traits: ["Settings"])],
  targets: [
    .target(name: "Tracking"),
    .executableTarget(
      name: "settings",
      dependencies: [
        "Tracking",
        .product(name: "WaymarkFoundation", package: "waymark", moduleAliases: names),
        .product(name: "WaymarkSettings", package: "waymark", moduleAliases: names),
      ]),
  ]
)
