@testable import Settings
import TestSupport
import Testing

@Suite("Damaged configs are rejected without a crash")
struct ConfigurationDamageTests {
  /// Bytes with a meaning in YAML or JSON, more telling than others.
  private static let telling =
    Array("\t\n\r \"'[]{},:-?*&!|>%@`#\\~0.e\u{0}\u{7F}é".utf8) + [0xFF, 0xC3]

  @Test("bytes changed, inserted, repeated or removed", arguments: [promisedYAML, promisedJSON])
  func damage(text: String) {
    var random = SeededGenerator(seed: 31_415)
    for round in 0..<3_000 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.damage(&bytes, &random) }
      do {
        _ = try Configuration(bytes, file: "w.yaml") { _ throws(ConfigurationFile.Failure) in
          Array(yardGeoJSON.utf8)
        }
      } catch {
        #expect(!error.problems.isEmpty, "seed \(random.seed), round \(round)")
        for problem in error.problems where problem.place.file == "w.yaml" {
          #expect(problem.place.line > 0, "\(problem), seed \(random.seed), round \(round)")
        }
      }
    }
  }

  @Test("every prefix of a config", arguments: [promisedYAML, promisedJSON])
  func beginnings(text: String) {
    for end in 0..<text.utf8.count {
      let beginning = String(decoding: text.utf8.prefix(end), as: UTF8.self)
      _ = complaint(beginning, others: ["fences.geojson": yardGeoJSON])
    }
  }

  @Test("more than a million values are rejected before they are parsed", arguments: ["1,", "{},"])
  func values(piece: String) {
    // Each takes one byte that counts, or two.
    let count = 1_000_000 / piece.utf8.count { "{,".utf8.contains($0) }
    func read(_ pieces: Int) -> [ConfigurationProblem] {
      let text = "device: [" + String(repeating: piece, count: pieces) + "1]"
      do throws(ConfigurationError) {
        _ = try Configuration(Array(text.utf8), file: "w.yaml") {
          _ throws(ConfigurationFile.Failure) in []
        }
        return []
      } catch { return error.problems }
    }
    #expect(read(count).map(\.found) == ["more than 1,000,000 values"])
    #expect(read(count - 2).map(\.found) == ["a list"])
  }

  @Test("after a thousand errors the rest is not checked")
  func problems() {
    let text = "fences: [" + String(repeating: "{}, ", count: 5_000) + "1]"
    let error = #expect(throws: ConfigurationError.self) {
      _ = try Configuration(Array(text.utf8), file: "w.yaml") {
        _ throws(ConfigurationFile.Failure) in []
      }
    }
    #expect(error?.problems.count == 1_000)
    #expect(
      error?.description.hasSuffix("\nand at least 900 more errors; the rest was not checked")
        == true)
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard let index = bytes.indices.randomElement(using: &random) else { return }
    let byte = telling.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[index] = byte
    case 1: bytes.insert(byte, at: index)
    case 2: bytes.remove(at: index)
    default:
      let part = bytes[index...].prefix(Int.random(in: 1...40, using: &random))
      bytes.insert(contentsOf: part, at: index)
    }
  }
}
