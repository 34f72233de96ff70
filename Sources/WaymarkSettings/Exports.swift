// Who reads a config uses the engine.
@_exported public import WaymarkKit
