import Geodesy
@testable import Settings
import PlaceNaming
import Tracking

/// Reads the config `text` as the file w.yaml beside the files `others`.
func configuration(_ text: String, others: [String: String] = [:]) throws(ConfigurationError)
  -> Configuration
{
  try Configuration(Array(text.utf8), file: "w.yaml", sections: [GeocoderSection.self]) {
    path throws(ConfigurationFile.Failure) in
    guard let other = others[path] else { throw .notFound }
    return Array(other.utf8)
  }
}

/// What reading the config `text` complains about, or "nothing".
func complaint(_ text: String, others: [String: String] = [:]) -> String {
  do {
    _ = try configuration(text, others: others)
    return "nothing"
  } catch {
    return error.description
  }
}

/// The config file as it is promised to users.
let promisedYAML = """
  device: van                                # name used in events
  source: gpsd://localhost:2947              # for watch and record
  fences:
    - id: depot                              # unique
      center: [52.5163, 13.3777]             # latitude, longitude
      radius: 100 m
      notify: [enter, exit]                  # default; also dwell
      dwell: 10 min
      decision: balanced                     # eager | balanced | strict | apple | naive
      initial: state                         # none | state | enter
    - id: site
      polygon: [[52.1, 13.1], [52.2, 13.1], [52.2, 13.3]]
    - include: fences.geojson
  visits: {minimum-stay: 5 min, radius: 50 m}          # or false
  significant-changes: {distance: 500 m, interval: 5 min}  # or false
  gate: {clock-jump: 1 d, memory: 30 d, lateness: 60 s}
  geocoder: {provider: gazetteer}            # none | stub | gazetteer | nominatim
  """

/// The same in JSON, indented with tabs.
let promisedJSON = """
  {
  \t"device": "van",
  \t"source": "gpsd:\\/\\/localhost:2947",
  \t"fences": [
  \t\t{"id": "depot", "center": [52.5163, 13.3777], "radius": 100, "notify": ["enter", "exit"],
  \t\t "dwell": 600, "decision": "balanced", "initial": "state"},
  \t\t{"id": "site", "polygon": [[52.1, 13.1], [52.2, 13.1], [52.2, 13.3]]},
  \t\t{"include": "fences.geojson"}
  \t],
  \t"visits": {"minimum-stay": "5 min", "radius": "50 m"},
  \t"significant-changes": {"distance": "500 m", "interval": "5 min"},
  \t"gate": {"clock-jump": "1 d", "memory": "30 d", "lateness": 60},
  \t"geocoder": {"provider": "gazetteer"}
  }
  """

/// Two circles, one without an id.
let yardGeoJSON = """
  {"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"id": "yard", "radius": 80},
     "geometry": {"type": "Point", "coordinates": [13.5, 52.6]}},
    {"type": "Feature", "properties": {"radius": 90},
     "geometry": {"type": "Point", "coordinates": [13.6, 52.7]}}
  ]}
  """
