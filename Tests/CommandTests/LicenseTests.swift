import Foundation
import Testing

@Suite("The licences of the program and its parts") struct LicenseTests {
  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: CommandRunner.package(name)), as: UTF8.self)
  }

  @Test("waymark --licenses prints NOTICE and LICENSE") func print() throws {
    let outcome = try CommandRunner().waymark(["--licenses"])
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    #expect(try outcome.output == text("NOTICE") + "\n" + text("LICENSE"))
  }

  @Test("NOTICE names every package that the program depends on, and every source of data")
  func dependencies() throws {
    let notice = try text("NOTICE")
    let packages = try text("Package.swift").matches(of: /url: "https:\/\/[^"]*\/([^"\/]+)"/)
    #expect(packages.count >= 3)
    for package in packages where package.output.1 != "swift-docc-plugin" {
      // The plug-in makes documentation; no part of it is in a program.
      #expect(notice.contains(package.output.1), "\(package.output.1)")
    }
    for source in ["GeoNames", "CC BY 4.0", "Natural Earth"] { #expect(notice.contains(source)) }
  }

  @Test("the help of geocode credits the sources of its names") func help() throws {
    let outcome = try CommandRunner().waymark(["geocode", "--help"])
    let help = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for source in [
      "GeoNames (geonames.org), CC BY 4.0", "Natural Earth", "© OpenStreetMap contributors",
    ] {
      #expect(help.contains(source))
    }
  }
}
