// As on Apple's systems: clients that import only CoreLocation can use Date and UUID.
@_exported public import Foundation
