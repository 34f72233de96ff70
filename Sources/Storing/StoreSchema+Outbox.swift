/// The tables of the outbox, beside those of the GeoPackage.
extension StoreSchema {
  /// Whether the receiver of a row of `receivers` wants the event of a row of `events`.
  static let wanted = """
    events.type IN (SELECT value FROM json_each(receivers.types))
    AND (receivers.fences IS NULL OR events.fence IN (SELECT value FROM json_each(receivers.fences)))
    AND (receivers.devices IS NULL
    OR events.device IN (SELECT value FROM json_each(receivers.devices)))
    """

  /// Receivers, what they could not be given, and the view that `waymark outbox` shows.
  ///
  /// Times are seconds since 1970, because attempts are made by the clock of the machine.
  static let outbox = """
    CREATE TABLE receivers (
    name TEXT NOT NULL PRIMARY KEY, cursor INTEGER NOT NULL, active BOOLEAN NOT NULL,
    types TEXT NOT NULL, fences TEXT, devices TEXT, delivered INTEGER NOT NULL DEFAULT 0,
    delivered_at DOUBLE, attempts INTEGER NOT NULL DEFAULT 0, failing_since DOUBLE,
    next_attempt DOUBLE, gone DOUBLE, error TEXT, held TEXT);
    CREATE TABLE dead_letters (
    receiver TEXT NOT NULL, event INTEGER NOT NULL, reason TEXT NOT NULL, json TEXT NOT NULL,
    PRIMARY KEY (receiver, event));
    CREATE VIEW outbox AS SELECT receivers.*,
    (SELECT count(*) FROM events WHERE events.seq > receivers.cursor AND \(wanted)) AS waiting,
    (SELECT events.decided FROM events WHERE events.seq > receivers.cursor AND \(wanted)
    ORDER BY events.seq LIMIT 1) AS oldest,
    (SELECT count(*) FROM dead_letters WHERE receiver = receivers.name) AS dead FROM receivers;
    """
}
