import Storing
import TestSupport
import Testing

@testable import Settings

@Suite("The section store of a config") struct StoreSectionTests {
  private func settings(_ text: String) throws(ConfigurationError) -> StoreSettings? {
    let config = Array("store: \(text)".utf8)
    return try Configuration(
      config, file: "/etc/waymark/w.yaml", sections: [StoreSection.self],
      load: ConfigurationFile.read)[StoreSection.self]
  }

  private func errors(_ text: String) -> [String] {
    do {
      _ = try settings(text)
      return []
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }

  @Test("is a path, relative to the config, or a mapping")
  func forms() throws {
    #expect(try settings("events.gpkg") == StoreSettings(path: "/etc/waymark/events.gpkg"))
    #expect(
      try settings("{file: /var/e.gpkg, keep: 90 d, fixes: true}")
        == StoreSettings(path: "/var/e.gpkg", retention: 7_776_000, keepsFixes: true))
  }

  @Test("reports errors with what was expected")
  func errors() {
    #expect(
      errors("{keep: 90 d}") == [
        "/etc/waymark/w.yaml:1:8: store: found no file, expected "
          + "a file such as events.gpkg, or {file: events.gpkg, keep: 90 d}"
      ])
    #expect(
      errors("{file: a, keep: soon, fixes: 1}") == [
        "/etc/waymark/w.yaml:1:24: store.keep: found 'soon', expected "
          + "a time such as 30 s, 10 min, 2 h or 1 d",
        "/etc/waymark/w.yaml:1:37: store.fixes: found '1', expected true or false",
      ])
    #expect(
      errors("{file: a, keeps: 1 d}") == [
        "/etc/waymark/w.yaml:1:18: store.keeps: found the unknown key 'keeps', expected one of "
          + "file, keep, fixes; did you mean 'keep'?"
      ])
    #expect(errors("[a]").count == 1)
    for text in ["\"-\"", "{file: \"-\"}"] {
      let errors = errors(text)
      #expect(errors.count == 1)
      #expect(
        errors.first?.hasSuffix(
          "found standard output (-), expected the path of a file such as events.gpkg") == true)
    }
  }

  @Test("is in the summary of a config")
  func summary() throws {
    let config = try Configuration(
      Array("store: {file: /e.gpkg, keep: 90 d}".utf8), file: "w.yaml",
      sections: [StoreSection.self], load: ConfigurationFile.read)
    #expect(config.summary.contains("store: /e.gpkg, keep 90 d"))
  }
}
