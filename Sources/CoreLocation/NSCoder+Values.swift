internal import Foundation

extension NSCoder {
  /// The number under `key`; nil if missing.
  func double(forKey key: String) -> Double? {
    containsValue(forKey: key) ? decodeDouble(forKey: key) : nil
  }

  /// The date under `key`, stored as seconds since 2001; nil if missing.
  func date(forKey key: String) -> Date? {
    double(forKey: key).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  func encode(_ date: Date, forKey key: String) {
    encode(date.timeIntervalSinceReferenceDate, forKey: key)
  }

  /// The coordinate under `key` followed by Latitude and Longitude; nil unless both exist.
  func coordinate(forKey key: String) -> CLLocationCoordinate2D? {
    guard let latitude = double(forKey: key + "Latitude"),
      let longitude = double(forKey: key + "Longitude")
    else { return nil }
    return CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
  }

  func encode(_ coordinate: CLLocationCoordinate2D, forKey key: String) {
    encode(coordinate.latitude, forKey: key + "Latitude")
    encode(coordinate.longitude, forKey: key + "Longitude")
  }

  /// The object under `key`; nil if missing or of another class.
  ///
  /// Decoding a missing object would invalidate the whole archive, so it is checked first.
  func object(of classes: [AnyClass], forKey key: String) -> Any? {
    containsValue(forKey: key) ? decodeObject(of: classes, forKey: key) : nil
  }

  /// Encodes the value, unless it is nil.
  func encode(optional object: NSObject?, forKey key: String) {
    if let object { encode(object, forKey: key) }
  }

  /// The text under `key`; nil if missing.
  func string(forKey key: String) -> String? {
    object(of: [NSString.self], forKey: key) as? String
  }

  /// Encodes the value, unless it is nil.
  func encode(_ text: String?, forKey key: String) {
    encode(optional: text.map { NSString(string: $0) }, forKey: key)
  }

  /// The UUID under `key`; nil if missing or malformed.
  func uuid(forKey key: String) -> UUID? {
    string(forKey: key).flatMap(UUID.init(uuidString:))
  }

  /// The 16-bit number under `key`; nil if missing or out of range.
  func number16(forKey key: String) -> UInt16? {
    containsValue(forKey: key) ? UInt16(exactly: decodeInteger(forKey: key)) : nil
  }

  /// Encodes the value, unless it is nil.
  func encode(_ number: UInt16?, forKey key: String) {
    if let number { encode(Int(number), forKey: key) }
  }
}
