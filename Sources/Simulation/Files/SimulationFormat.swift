/// The format of simulated fixes.
package enum SimulationFormat: String, Sendable, CaseIterable {
  case gpx, csv, ndjson
}
