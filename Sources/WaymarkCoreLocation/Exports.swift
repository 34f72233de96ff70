// Who uses these adapters uses both sides.
@_exported public import CoreLocation
@_exported public import WaymarkKit
