// swift-tools-version: 6.2
import PackageDescription

// Code in the shape that client code has, built against Core Location as such code would be. Each
// target is one kind of client; what it must be allowed to write is what it consists of.
let coreLocation = Target.Dependency.product(name: "CoreLocation", package: "waymark")
let geocoding = Target.Dependency.product(name: "Geocoding", package: "waymark")

let package = Package(
  name: "clients",
  dependencies: [.package(name: "waymark", path: "../..")],
  targets: [
    // A library of geometry that switches to Core Location's types where they are.
    .target(
      name: "GeometryClient", dependencies: [coreLocation],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // An application in Swift 5.
    .target(
      name: "OlderClient", dependencies: [coreLocation], swiftSettings: [.swiftLanguageMode(.v5)]),
    // An application in Swift 6.
    .target(
      name: "Client", dependencies: [coreLocation, geocoding],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // One in Swift 6 whose code belongs to the main actor unless it says otherwise, as a new project
    // of Xcode's is set up.
    .target(
      name: "MainActorClient", dependencies: [coreLocation],
      swiftSettings: [
        .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
  ]
)
