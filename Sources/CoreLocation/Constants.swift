public import Foundation

/// Latitude or longitude in degrees (WGS 84), positive to the north and to the east.
public typealias CLLocationDegrees = Double
/// A radius of uncertainty in metres; negative when the value that it belongs to is invalid.
public typealias CLLocationAccuracy = Double
/// Metres per second; negative when invalid.
public typealias CLLocationSpeed = Double
/// The error of a speed in metres per second, one sigma; negative when invalid.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees clockwise from true north, 0..<360; negative when invalid.
public typealias CLLocationDirection = Double
/// The error of a direction in degrees, one sigma; negative when invalid.
public typealias CLLocationDirectionAccuracy = Double
/// Metres.
public typealias CLLocationDistance = Double
/// One component of a magnetic field, in the unit of the compass.
public typealias CLHeadingComponentValue = Double
/// The major number of a beacon.
public typealias CLBeaconMajorValue = UInt16
/// The minor number of a beacon.
public typealias CLBeaconMinorValue = UInt16
/// The completion handler of a geocoding request: placemarks, best first, or an error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// A distance filter that passes every fix.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// A heading filter that passes every heading.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// A desired accuracy: the best one, with additional sensor data.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// A desired accuracy: the best one.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// A desired accuracy: about ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// A desired accuracy: about a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// A desired accuracy: about a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// A desired accuracy: about three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// A desired accuracy: that of a program with permission for reduced accuracy only.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000

/// No limit of distance, for deferred updates.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// No limit of time, for deferred updates.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// An invalid coordinate, for which ``CLLocationCoordinate2DIsValid(_:)`` is false.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// The domain of ``CLError`` as an `NSError`.
public let kCLErrorDomain = "kCLErrorDomain"
/// The key in an error's user info of a region that can be monitored better than the requested one.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"
/// The domain of ``CLLocationPushServiceError`` as an `NSError`.
public let CLLocationPushServiceErrorDomain = "CLLocationPushServiceErrorDomain"
