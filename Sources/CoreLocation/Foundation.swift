// Clients import only CoreLocation and use Date and UUID all the same, as on Apple's systems.
@_exported public import Foundation
