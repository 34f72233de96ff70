/// What phones do.
extension MosquittoBroker {
  /// Publishes messages under a topic with QoS 1, in this order; returns when the broker has them.
  package func publish(
    _ payloads: [String], under topic: String, isRetained: Bool = false
  ) throws {
    let common = ["-p", "\(port)", "-V", "mqttv5", "-q", "1", "-t", topic]
    let result = try runProgram(
      "/usr/bin/mosquitto_pub", common + (isRetained ? ["-r"] : []) + ["-l"],
      input: payloads.map { $0 + "\n" }.joined())
    guard result.code == 0 else { throw BrokerFailure(description: result.output) }
  }

  /// Publishes a message with any bytes.
  package func publish(file: String, under topic: String) throws {
    let result = try runProgram(
      "/usr/bin/mosquitto_pub", ["-p", "\(port)", "-q", "1", "-t", topic, "-f", file])
    guard result.code == 0 else { throw BrokerFailure(description: result.output) }
  }
}
