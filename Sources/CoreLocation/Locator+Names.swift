extension Locator {
  /// What the place of a location is called.
  ///
  /// It needs no permission, and does not heed the cancellation of its task. The geocoder of the
  /// location service in use is asked.
  /// - Throws: `CLError` when the geocoder cannot be asked or knows nothing there, and
  ///   ``LocatorError/nameless`` when what it knows has no name.
  public func name(of location: CLLocation) async throws -> String {
    let placemarks = try await CLGeocoder().reverseGeocodeLocation(location)
    guard let name = placemarks.first?.name else { throw LocatorError.nameless }
    return name
  }
}
