public import Packing

extension Timestamp: PackableInstant {}
