public enum DurationText { public static func format(_ d: Duration) -> String { "\(d)" } }
