/// How long a broker may take.
struct MQTTLimits: Sendable {
  /// Seconds without traffic after which the broker is pinged.
  var keepAlive: Int32 = 60
  /// From the lookup of the host name to CONNACK.
  var connect = Duration.seconds(15)
  /// For the acknowledgement of messages.
  var acknowledgement = Duration.seconds(30)
  /// For the last message and DISCONNECT.
  var close = Duration.seconds(5)
}
