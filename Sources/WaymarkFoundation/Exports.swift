// Who uses these adapters uses the engine.
@_exported public import WaymarkKit
