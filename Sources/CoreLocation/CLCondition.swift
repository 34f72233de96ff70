/// Something a ``CLMonitor`` can watch.
public protocol CLCondition: Decodable, Encodable, Sendable {}
