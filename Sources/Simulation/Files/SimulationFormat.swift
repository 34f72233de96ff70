/// In which format fixes are written.
package enum SimulationFormat: String, Sendable, CaseIterable {
  case gpx, csv, ndjson
}
