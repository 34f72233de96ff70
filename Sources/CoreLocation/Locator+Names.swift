extension Locator {
  /// The name of the place at a location.
  ///
  /// It needs no permission, and ignores the cancellation of its task. It uses the geocoder of the
  /// current location service.
  /// - Throws: `CLError` when the geocoder is unavailable or finds nothing, and
  ///   ``LocatorError/nameless`` when the place has no name.
  public func name(of location: CLLocation) async throws -> String {
    let placemarks = try await CLGeocoder().reverseGeocodeLocation(location)
    guard let name = placemarks.first?.name else { throw LocatorError.nameless }
    return name
  }
}
