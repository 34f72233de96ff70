// swift-tools-version: 6.2
import PackageDescription

// Code like that of clients, built against Core Location in the same way. Each target is one kind of
// client, with the code that must compile for it.
let coreLocation = Target.Dependency.product(name: "CoreLocation", package: "waymark")
let geocoding = Target.Dependency.product(name: "Geocoding", package: "waymark")

let package = Package(
  name: "clients",
  dependencies: [.package(name: "waymark", path: "../..", traits: [])],
  targets: [
    // A library of geometry that uses Core Location's types if they are available.
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
    // An application in Swift 6 whose code is on the main actor by default, as in new Xcode projects.
    .target(
      name: "MainActorClient", dependencies: [coreLocation],
      swiftSettings: [
        .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
  ]
)
