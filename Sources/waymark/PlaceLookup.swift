import ArgumentParser
import Foundation
import Geocoding
import Geodesy
import PlaceNaming
import Settings

/// Questions to the geocoder of a config, or to the gazetteer of the program, each answered before
/// the next.
struct PlaceLookup {
  private let geocoder: any Geocoder

  /// The geocoder that a config names.
  ///
  /// - Throws: when it names none, or when one of its files cannot be used.
  init(_ settings: Configuration) throws {
    do {
      let report: @Sendable (String) -> Void = { Terminal.report("waymark: \($0)") }
      guard let geocoder = try GeocoderFactory.make(settings[GeocoderSection.self], report: report)
      else {
        throw ValidationError(
          "the config names no geocoder; expected one such as geocoder: {provider: gazetteer}")
      }
      self.geocoder = geocoder
    } catch let error as GeocoderFactory.Failure {
      throw ExitStatus.of(error)
    }
  }

  /// A gazetteer; the one of the program when no file is named.
  init(gazetteer path: String?) throws {
    do {
      geocoder = try GeocoderFactory.gazetteer(path)
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// Waits for the answer.
  func answer(to request: GeocoderRequest) -> Result<[GeocodedPlace], GeocoderError> {
    if let known = geocoder.answerAtOnce(to: request) { return known }
    let answer = BlockingFuture<Result<[GeocodedPlace], GeocoderError>>()
    Task {
      do throws(GeocoderError) {
        answer.set(.success(try await geocoder.places(for: request)))
      } catch {
        answer.set(.failure(error))
      }
    }
    return answer.wait()
  }

  /// The name of a position.
  func name(of coordinate: Coordinate) -> Result<String, GeocoderError> {
    do throws(GeocoderError) {
      let request = try GeocoderRequest.reverse(coordinate)
      let places = try answer(to: request).get()
      return places.first?.label.map { .success($0) } ?? .failure(.noResult)
    } catch {
      return .failure(error)
    }
  }
}
