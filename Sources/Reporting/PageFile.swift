internal import CPage

/// The files of the pages, which are part of the program.
enum PageFile {
  static var style: UnsafeBufferPointer<UInt8> { bytes(waymark_page_style()) }
  static var leaflet: UnsafeBufferPointer<UInt8> { bytes(waymark_page_leaflet()) }
  /// What both pages run: the list of events and the map.
  static var script: UnsafeBufferPointer<UInt8> { bytes(waymark_page_script()) }
  /// Coasts and borders; see Sources/CPage/build-base-map.py.
  static var baseMap: UnsafeBufferPointer<UInt8> { bytes(waymark_page_base_map()) }
  static var reportScript: UnsafeBufferPointer<UInt8> { bytes(waymark_report_script()) }
  static var reportBody: UnsafeBufferPointer<UInt8> { bytes(waymark_report_body()) }
  static var liveScript: UnsafeBufferPointer<UInt8> { bytes(waymark_live_script()) }
  static var livePage: UnsafeBufferPointer<UInt8> { bytes(waymark_live_page()) }

  private static func bytes(_ file: waymark_file) -> UnsafeBufferPointer<UInt8> {
    // The bytes are constants of the program.
    UnsafeBufferPointer(start: file.bytes, count: file.size)
  }
}
