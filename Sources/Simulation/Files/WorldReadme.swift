import Text

extension SimulationSettings {
  /// The page that says what a folder holds.
  ///
  /// - Parameter command: The command line that writes it again.
  package func readme(command: String) -> [UInt8] {
    let fields = FixField.allCases.filter(omitted.contains).map(\.rawValue)
    let list = fields.joined(separator: ", ")
    let left = list.isEmpty ? "" : "\nThe fixes do not state: \(list).\n"
    return Array(
      """
      # A simulated world

      Regime: `\(kind.rawValue)`. \(kind.summary)
      \(left)
      Written by

          \(command)

      | file | what it holds |
      | --- | --- |
      | `fixes/` | the fixes of each device, in order of arrival |
      | `config/` | a config for each device, with its fences |
      | `fences/` | the same fences, for `waymark score` |
      | `truth/` | true stays, true crossings, and the true track of each device |
      | `devices.json` | the devices |

      What is simulated, and what the files hold, is in Docs/Simulation.md of Waymark.

      """.utf8)
  }
}
