/// The tables of a store, in SQL.
///
/// The file is a GeoPackage 1.3 (OGC 12-128r17), so QGIS, GDAL, geopandas and DuckDB open it. The
/// table `events` is the event log; each layer has its events again, with columns and a geometry.
enum StoreSchema {
  /// `GPKG`, in the header of the file (requirement 2).
  static let applicationID = 0x4750_4B47
  /// Version 1.3.0.
  static let userVersion = 10_300
  /// The version of the tables below, in `waymark_store`.
  static let version = 2

  /// A layer of the GeoPackage.
  enum Layer: String, CaseIterable {
    case crossings, states, visits, changes, fences, fixes, tracks

    var geometry: String {
      switch self {
      case .fences: "MULTIPOLYGON"
      case .tracks: "LINESTRING"
      case .crossings, .states, .visits, .changes, .fixes: "POINT"
      }
    }

    var summary: String {
      switch self {
      case .crossings: "Enters and exits of fences"
      case .states: "Initial states of fences, and dwells"
      case .visits: "Stays"
      case .changes: "Significant changes of position"
      case .fences: "Fences"
      case .fixes: "Fixes"
      case .tracks: "Fixes as lines"
      }
    }

    /// The columns after the key and the geometry.
    var columns: String {
      switch self {
      case .crossings:
        """
        id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, device TEXT NOT NULL, fence TEXT NOT NULL,
        time DATETIME NOT NULL, time_uncertainty DOUBLE, decided DATETIME NOT NULL,
        latitude DOUBLE NOT NULL, longitude DOUBLE NOT NULL, accuracy DOUBLE,
        interpolated BOOLEAN NOT NULL, confidence DOUBLE, duration DOUBLE, speed DOUBLE,
        course DOUBLE
        """
      case .states:
        """
        id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, device TEXT NOT NULL, fence TEXT NOT NULL,
        time DATETIME NOT NULL, decided DATETIME NOT NULL, latitude DOUBLE NOT NULL,
        longitude DOUBLE NOT NULL, accuracy DOUBLE, confidence DOUBLE, state TEXT, duration DOUBLE
        """
      case .visits:
        """
        id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, device TEXT NOT NULL,
        arrival DATETIME NOT NULL, departure DATETIME, arrival_seen BOOLEAN NOT NULL,
        arrival_uncertainty DOUBLE, departure_uncertainty DOUBLE, decided DATETIME NOT NULL,
        latitude DOUBLE NOT NULL, longitude DOUBLE NOT NULL, accuracy DOUBLE, confidence DOUBLE,
        place TEXT, retracted BOOLEAN NOT NULL
        """
      case .changes:
        """
        id TEXT NOT NULL UNIQUE, device TEXT NOT NULL, time DATETIME NOT NULL,
        decided DATETIME NOT NULL, latitude DOUBLE NOT NULL, longitude DOUBLE NOT NULL,
        accuracy DOUBLE, speed DOUBLE, course DOUBLE
        """
      case .fences:
        "id TEXT NOT NULL UNIQUE, shape TEXT NOT NULL, radius DOUBLE, decision TEXT NOT NULL"
      case .fixes:
        """
        device TEXT NOT NULL, time DATETIME, latitude DOUBLE NOT NULL, longitude DOUBLE NOT NULL,
        accuracy DOUBLE, speed DOUBLE, course DOUBLE, altitude DOUBLE,
        UNIQUE (device, time, latitude, longitude)
        """
      case .tracks:
        """
        device TEXT NOT NULL, begin DATETIME NOT NULL, end DATETIME NOT NULL,
        points INTEGER NOT NULL
        """
      }
    }
  }

  /// Everything of a new store.
  static var creation: String {
    ([metadata] + Layer.allCases.map(creation) + [events, views, outbox]).joined(separator: "\n")
  }

  /// A layer and its entries in the metadata.
  private static func creation(of layer: Layer) -> String {
    """
    CREATE TABLE \(layer.rawValue) (
    fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom \(layer.geometry) NOT NULL,
    \(layer.columns));
    INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id)
    VALUES ('\(layer.rawValue)', 'features', '\(layer.rawValue)', '\(layer.summary)', 4326);
    INSERT INTO gpkg_geometry_columns VALUES
    ('\(layer.rawValue)', 'geom', '\(layer.geometry)', 4326, 0, 0);
    """
  }

  /// What version 2 added to version 1: lines, and the queues of receivers.
  static var additions: String {
    [creation(of: .tracks), outbox, "UPDATE waymark_store SET version = \(version);"]
      .joined(separator: "\n")
  }

  /// The tables that make a file a GeoPackage (annex C of the standard).
  private static let metadata = """
    CREATE TABLE gpkg_spatial_ref_sys (
    srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
    organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES
    ('Undefined Cartesian', -1, 'NONE', -1, 'undefined', NULL),
    ('Undefined geographic', 0, 'NONE', 0, 'undefined', NULL),
    ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,\
    298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,\
    AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],\
    AUTHORITY["EPSG","4326"]]', 'longitude and latitude in degrees');
    CREATE TABLE gpkg_contents (
    table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
    description TEXT DEFAULT '',
    last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
    CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE gpkg_geometry_columns (
    table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
    srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
    CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
    CONSTRAINT uk_gc_table_name UNIQUE (table_name),
    CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
    CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE waymark_store (version INTEGER NOT NULL, hindsight BOOLEAN);
    INSERT INTO waymark_store (version) VALUES (\(version));
    """

  /// The event log, and how far each device is in it.
  private static let events = """
    CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL,
    type TEXT NOT NULL, device TEXT NOT NULL, fence TEXT, time DATETIME, decided DATETIME,
    json TEXT NOT NULL, arrived DATETIME, UNIQUE (id, revision));
    CREATE INDEX events_of_fences ON events (device, fence, decided) WHERE fence IS NOT NULL;
    CREATE INDEX events_by_decision ON events (decided);
    CREATE TABLE devices (
    device TEXT NOT NULL PRIMARY KEY, decided DATETIME, events INTEGER NOT NULL);
    INSERT INTO gpkg_contents (table_name, data_type, identifier, description) VALUES
    ('events', 'attributes', 'events', 'The event log'),
    ('devices', 'attributes', 'devices', 'The last event and the number of events of each device');
    """

  /// Answers to the usual questions.
  private static let views = """
    \(nowInside);
    \(hoursAtPlace);
    INSERT INTO gpkg_contents (table_name, data_type, identifier, description) VALUES
    ('now_inside', 'attributes', 'now_inside', 'The fences in which each device is'),
    ('hours_at_place', 'attributes', 'hours_at_place', 'Hours in each fence and at each place');
    """
}
