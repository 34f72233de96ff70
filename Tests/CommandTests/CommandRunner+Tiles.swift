import Testing

extension CommandRunner {
  /// Writes an MBTiles file with the tile of the world, which is one magenta pixel.
  func writeTiles(_ name: String) throws {
    let magenta =
      "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
      + "0000000c49444154789c63f8cff01f00040001ff220a3af00000000049454e44ae426082"
    let sql = """
      CREATE TABLE metadata (name TEXT, value TEXT);
      INSERT INTO metadata VALUES ('format', 'png'), ('attribution', '<b>Some</b> &amp; others');
      CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB);
      INSERT INTO tiles VALUES (0, 0, 0, x'\(magenta)'), (2, 3, 3, x'\(magenta)');
      """
    try #require(try shell("sqlite3 \(name) \"\(sql)\"").code == 0)
  }
}
