// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Sequence",
  products: [
    .library(name: "SequenceRunner", targets: ["SequenceRunner"]),
    .library(name: "Notifier", targets: ["Notifier", "NotificationLedger"]),
    .executable(name: "sequence", targets: ["sequence"]),
    .executable(name: "sequence-agent", targets: ["sequence-agent"]),
    .executable(name: "sequence-import", targets: ["sequence-import"]),
    .executable(name: "sequence-sound", targets: ["sequence-sound"]),
  ],
  targets: [
    // C, one module map and one shim header each.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CCanberra", providers: [.apt(["libcanberra-dev"])]),
    .systemLibrary(name: "CLibnotify", pkgConfig: "libnotify", providers: [.apt(["libnotify-dev"])]),
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    // The one in C++, as the library that it is the seam to; it needs libtomlplusplus-dev.
    .target(name: "CTOML"),

    // Libraries. Arrows run one way only; nothing but `Notifier` may reach libnotify.
    .target(name: "SequenceRunner", dependencies: ["CLinux", "CSQLite", "CYAML"]),
    .target(name: "NotificationLedger", dependencies: ["SequenceRunner"]),
    .target(
      name: "Notifier", dependencies: ["NotificationLedger", "SequenceRunner", "CLibnotify", "CLinux"]),
    .target(name: "SequenceCommand", dependencies: ["NotificationLedger", "SequenceRunner", "CLinux"]),
    .target(name: "WorkoutImport", dependencies: ["SequenceRunner", "CGLib", "CTOML"]),

    // Programs.
    .executableTarget(name: "sequence", dependencies: ["SequenceCommand"]),
    .executableTarget(name: "sequence-agent", dependencies: ["Notifier", "NotificationLedger"]),
    .executableTarget(name: "sequence-import", dependencies: ["WorkoutImport", "SequenceRunner"]),
    .executableTarget(name: "sequence-sound", dependencies: ["SequenceRunner", "CCanberra", "CLinux"]),

    // Examples of embedding the libraries, which see of them what a stranger sees.
    .executableTarget(
      name: "embedding-example", dependencies: ["Notifier", "NotificationLedger", "SequenceRunner"],
      path: "examples/embedding", packageAccess: false),
    .executableTarget(
      name: "reminders-example", dependencies: ["Notifier", "NotificationLedger", "SequenceRunner"],
      path: "examples/reminders", packageAccess: false),
    .executableTarget(
      name: "articles-example", dependencies: ["Notifier", "NotificationLedger", "SequenceRunner"],
      path: "examples/articles", packageAccess: false),

    // Tests and benchmarks, and what they run against.
    .target(name: "TestSupport", dependencies: ["SequenceRunner", "CLinux"], path: "Tests/TestSupport"),
    .executableTarget(
      name: "recording-server", dependencies: ["TestSupport", "SequenceRunner", "CLibnotify"],
      path: "Tests/RecordingServer"),
    .target(
      name: "Simulation", dependencies: ["Notifier", "NotificationLedger", "SequenceRunner"],
      path: "Tests/Simulation"),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation", "TestSupport"], path: "Tests/SimulateProgram"),
    .executableTarget(
      name: "write-history", dependencies: ["TestSupport", "SequenceRunner"], path: "Tests/HistoryProgram"),
    .executableTarget(
      name: "benchmark",
      dependencies: ["Notifier", "NotificationLedger", "SequenceRunner", "TestSupport", "CLinux"],
      path: "Benchmarks/Program"),
    .target(
      name: "FuzzTargets", dependencies: ["NotificationLedger", "SequenceRunner", "WorkoutImport"],
      path: "Tests/FuzzTargets"),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
    .executableTarget(
      name: "torture", dependencies: ["TestSupport", "SequenceRunner", "NotificationLedger", "CLinux"],
      path: "Tests/Torture"),
    .testTarget(name: "SequenceRunnerTests", dependencies: ["SequenceRunner", "TestSupport"]),
    .testTarget(
      name: "WorkoutImportTests", dependencies: ["WorkoutImport", "SequenceRunner", "TestSupport"]),
    .testTarget(
      name: "NotifierTests",
      dependencies: [
        "Notifier", "NotificationLedger", "SequenceRunner", "TestSupport", "Simulation", "recording-server",
      ]),
    .testTarget(
      name: "SequenceCommandTests",
      dependencies: [
        "SequenceCommand", "NotificationLedger", "SequenceRunner", "TestSupport", "sequence",
        "sequence-agent", "sequence-import", "sequence-sound", "torture", "recording-server",
        "embedding-example", "reminders-example", "articles-example",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// Every target is compiled alike: the strictest language the compiler has, and no warning survives.
for target in package.targets where target.type != .system {
  var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
  ]
  // Tests and benchmarks may use unsafe API without marking each use; what ships may not.
  let isForTests =
    target.type == .test || ["Tests/", "Benchmarks/"].contains { target.path?.hasPrefix($0) == true }
  if !isForTests { settings.append(.strictMemorySafety()) }
  target.swiftSettings = settings
}
