import TestSupport
import Testing

@testable import Outbox

@Suite("Names in topics and ids") struct MQTTNameTests {
  @Test("a level keeps letters, and encodes what a topic or MQTT does not allow")
  func levels() {
    #expect(MQTTName.level("Zürich Süd-1_a.b$") == "Zürich Süd-1_a.b$")
    #expect(MQTTName.level("a/b+c#d%e") == "a%2fb%2bc%23d%25e")
    #expect(MQTTName.level("\0\u{1F}\u{7F}\u{9F}") == "%00%1f%7f%c2%9f")
    #expect(MQTTName.level("\u{FFFE}\u{1FFFF}") == "%ef%bf%be%f0%9f%bf%bf")
  }

  @Test("an id has letters, digits, hyphens and underscores only")
  func ids() {
    #expect(MQTTName.id("van-1") == "van-1")
    #expect(MQTTName.id("a_b/ü") == "a_5fb_2f_c3_bc")
  }

  @Test("different names have different levels and ids")
  func injective() {
    var random = SeededGenerator(seed: 20)
    let characters: [Character] = ["_", "%", "2", "f", "/", "5", "ü", "a", "-"]
    var names = Set<String>()
    for _ in 0..<5_000 {
      names.insert(String((0..<random.below(7)).map { _ in characters[random.below(9)] }))
    }
    #expect(Set(names.map(MQTTName.level)).count == names.count, "seed \(random.seed)")
    #expect(Set(names.map(MQTTName.id)).count == names.count, "seed \(random.seed)")
    #expect(names.allSatisfy { !MQTTName.id($0).contains("__") }, "seed \(random.seed)")
  }

  @Test("a client id names host and receiver, and is another one for another store")
  func clientIDs() {
    func id(_ receiver: String, _ store: String = "/a") -> String {
      MQTTName.clientID(of: receiver, store: store, host: "pi.local")
    }
    #expect(id("ha").hasPrefix("waymark-pi_2elocal-ha-") && id("ha") == id("ha"))
    let long = String(repeating: "x", count: 90)
    #expect(id(long + "1").utf8.count == 64)
    #expect(Set([id("ha"), id("ha", "/b"), id("hb"), id(long + "1"), id(long + "2")]).count == 5)
  }

  @Test("a long name is cut between characters, and ends with a hash")
  func longNames() {
    let name = String(repeating: "ü", count: 1_000)
    for encoded in [MQTTName.level(name), MQTTName.id(name)] {
      #expect(encoded.utf8.count <= 512 && encoded.hasSuffix(MQTTName.hash(name)))
    }
    #expect(MQTTName.level(name) != MQTTName.level(name + "a"))
    #expect(!MQTTName.level(name).contains("\u{FFFD}"))
  }
}
