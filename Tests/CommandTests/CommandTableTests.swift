import Foundation
import Testing

/// The README's table of commands is that of `waymark --help`.
@Suite("The table of commands")
struct CommandTableTests {
  /// The usage in the first cell of each row, without `waymark`.
  private static let rows: [[String]] = {
    let text = try? String(contentsOf: CommandRunner.package("README.md"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").filter { $0.hasPrefix("| `waymark ") }
      .compactMap { $0.split(separator: "`").dropFirst().first }
      .map { $0.split(separator: " ").dropFirst().map(String.init) }
  }()

  /// The commands that `--help` lists: their names are indented by two, their texts by more.
  private static func offered() throws -> [String] {
    let help = try CommandRunner().waymark(["--help"]).output
    let list = help.components(separatedBy: "\nSUBCOMMANDS:\n").last ?? ""
    return list.split(separator: "\n")
      .filter { $0.hasPrefix("  ") && $0.dropFirst(2).first?.isLowercase == true }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  @Test("has every command, in the order of --help, and no other")
  func commands() throws {
    #expect(Self.rows.compactMap(\.first) == (try Self.offered()))
  }

  @Test("names options that the command has", arguments: rows)
  func options(_ usage: [String]) throws {
    let command = try #require(usage.first)
    let help = try CommandRunner().waymark(["help", command])
    #expect(help.code == 0)
    let words = Set(help.output.split { !$0.isLetter && $0 != "-" }.map(String.init))
    for option in usage where option.hasPrefix("-") { #expect(words.contains(option)) }
  }
}
