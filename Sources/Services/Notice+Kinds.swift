extension Notice {
  /// Whether it is about regions, visits or conditions, which are saved between launches.
  package var isLasting: Bool {
    switch self {
    case .state, .entered, .exited, .visit, .condition: true
    case .authorization, .locations, .failed, .paused, .resumed, .deferralEnded, .monitoringStarted,
      .monitoringFailed, .update, .event, .heading:
      false
    }
  }

  /// Whether it reveals where the device is, which needs "always" in the background.
  package var isBackgroundEvent: Bool {
    switch self {
    case .locations, .state, .entered, .exited, .visit: true
    case .authorization, .failed, .paused, .resumed, .deferralEnded, .monitoringStarted,
      .monitoringFailed, .update, .condition, .event, .heading:
      false
    }
  }
}
