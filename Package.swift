// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Sequence",
  products: [
    .library(name: "SequenceRunner", targets: ["SequenceRunner"]),
    .library(name: "SequenceFiles", targets: ["SequenceFiles"]),
    .library(name: "Notifier", targets: ["Notifier"]),
    .library(name: "NotifierTesting", targets: ["NotifierTesting"]),
    .library(name: "SequenceNotifications", targets: ["SequenceNotifications"]),
    .executable(name: "sequence", targets: ["sequence"]),
    .executable(name: "sequence-agent", targets: ["sequence-agent"]),
    .executable(name: "sequence-sound", targets: ["sequence-sound"]),
  ],
  targets: [
    // C libraries, each with one shim header and one module map, which names the libraries to link. SwiftPM asks
    // pkg-config only for libraries whose headers are outside the compiler's path.
    .systemLibrary(name: "CSequenceLinux"),
    .systemLibrary(name: "CSequenceSQLite"),
    .systemLibrary(name: "CSequenceYAML"),
    .systemLibrary(name: "CSequenceCanberra"),
    .systemLibrary(name: "CLibnotify", pkgConfig: "gobject-2.0", providers: [.apt(["libnotify-dev"])]),
    .systemLibrary(name: "CSequenceGLib", pkgConfig: "gobject-2.0", providers: [.apt(["libglib2.0-dev"])]),
    // C++, because toml++ is a C++ library; needs libtomlplusplus-dev.
    .target(name: "CSequenceTOML"),

    // Libraries, without cyclic dependencies; only `NotifierDelivery` may use libnotify, and only
    // `Notifier` the calendar, which needs ICU.
    .target(name: "SequencePlatform", dependencies: ["CSequenceLinux"]),
    .target(name: "SequenceStore", dependencies: ["SequencePlatform", "CSequenceLinux", "CSequenceSQLite"]),
    .target(
      name: "SequenceRunner",
      dependencies: ["CSequenceLinux", "CSequenceSQLite", "SequencePlatform", "SequenceStore"]),
    .target(
      name: "SequenceFiles",
      dependencies: [
        "CSequenceLinux", "CSequenceYAML", "SequencePlatform", "SequenceRunner", "SequenceStore",
      ]),
    .target(
      name: "SequencePresentation", dependencies: ["SequencePlatform", "SequenceRunner", "SequenceStore"]),
    .target(name: "NotifierLedger", dependencies: ["SequencePlatform", "SequenceStore"]),
    .target(
      name: "NotifierDelivery",
      dependencies: [
        "CLibnotify", "CSequenceGLib", "CSequenceLinux", "NotifierLedger", "SequencePlatform",
        "SequenceStore",
      ]),
    .target(
      name: "Notifier",
      dependencies: [
        "NotifierDelivery", "NotifierLedger", "SequencePlatform", "SequenceStore",
      ]),
    .target(
      name: "NotifierTesting",
      dependencies: ["Notifier", "NotifierDelivery", "NotifierLedger", "SequencePlatform", "SequenceStore"]),
    .target(
      name: "SequencePlanning",
      dependencies: [
        "NotifierLedger", "SequencePlatform", "SequencePresentation", "SequenceRunner", "SequenceStore",
      ]),
    .target(
      name: "SequenceConfiguration",
      dependencies: [
        "NotifierLedger", "SequenceFiles", "SequencePlanning", "SequencePlatform", "SequencePresentation",
        "SequenceRunner", "SequenceStore",
      ]),
    .target(
      name: "SequenceNotifications",
      dependencies: [
        "NotifierDelivery", "NotifierLedger", "SequencePlanning", "SequencePlatform",
        "SequencePresentation", "SequenceRunner", "SequenceStore",
      ]),
    .target(
      name: "SequenceAgent",
      dependencies: [
        "CSequenceLinux", "NotifierDelivery", "NotifierLedger", "SequenceClient", "SequenceConfiguration",
        "SequenceFiles", "SequenceNotifications", "SequencePlanning", "SequencePlatform",
        "SequencePresentation", "SequenceRunner", "SequenceStore",
      ]),
    .target(
      name: "SequenceClient",
      dependencies: [
        "CSequenceLinux", "NotifierLedger", "SequenceConfiguration", "SequenceFiles", "SequencePlanning",
        "SequencePlatform", "SequencePresentation", "SequenceRunner", "SequenceStore",
      ]),
    .target(
      name: "SequenceCommand",
      dependencies: [
        "CSequenceLinux", "NotifierLedger", "SequenceClient", "SequenceConfiguration", "SequenceFiles",
        "SequencePlanning", "SequencePlatform", "SequencePresentation", "SequenceRunner", "SequenceStore",
      ]),
    .target(
      name: "SequenceImport",
      dependencies: ["CSequenceGLib", "CSequenceTOML", "SequenceFiles", "SequencePlatform", "SequenceRunner"]),

    // Programs.
    .executableTarget(name: "sequence", dependencies: ["SequenceCommand"]),
    .executableTarget(
      name: "sequence-agent",
      dependencies: [
        "NotifierDelivery", "NotifierLedger", "SequenceAgent", "SequenceConfiguration", "SequenceFiles",
        "SequenceImport", "SequencePlanning", "SequencePlatform", "SequenceRunner", "SequenceStore",
      ]),
    .executableTarget(
      name: "sequence-sound", dependencies: ["SequencePlatform", "CSequenceCanberra", "CSequenceLinux"]),

    // Examples of embedding the libraries, with access to their public API only.
    .executableTarget(
      name: "embedding-example", dependencies: ["SequenceNotifications"],
      path: "examples/embedding", packageAccess: false),
    .executableTarget(
      name: "reminders-example", dependencies: ["Notifier"],
      path: "examples/reminders", packageAccess: false),
    .executableTarget(
      name: "remind-example", dependencies: ["Notifier"],
      path: "examples/remind", packageAccess: false),
    .executableTarget(
      name: "articles-example",
      dependencies: [
        "Notifier", "NotifierLedger", "SequenceFiles", "SequenceNotifications", "SequencePlanning",
        "SequencePlatform", "SequenceRunner", "SequenceStore",
      ],
      path: "examples/articles", packageAccess: false),

    .testTarget(
      name: "TestingExampleTests", dependencies: ["Notifier", "NotifierTesting", "SequenceNotifications"],
      path: "examples/testing", packageAccess: false),

    // Tests, benchmarks and their support code.
    .target(
      name: "TestSupport",
      dependencies: [
        "CSequenceLinux", "SequenceFiles", "SequencePlatform", "SequenceRunner", "SequenceStore",
      ],
      path: "Tests/TestSupport"),
    .executableTarget(
      name: "recording-server",
      dependencies: [
        "CLibnotify", "NotifierDelivery", "SequencePlatform", "SequenceRunner", "SequenceStore",
        "TestSupport",
      ],
      path: "Tests/RecordingServer"),
    .target(
      name: "Simulation",
      dependencies: [
        "Notifier", "NotifierDelivery", "NotifierLedger", "SequenceAgent",
        "SequenceConfiguration", "SequenceNotifications", "SequencePlanning", "SequencePlatform",
        "SequenceRunner", "SequenceStore",
        "TestSupport",
      ],
      path: "Tests/Simulation"),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation", "TestSupport"], path: "Tests/SimulateProgram"),
    .executableTarget(
      name: "write-history",
      dependencies: ["SequenceFiles", "SequencePlatform", "SequenceRunner", "SequenceStore", "TestSupport"],
      path: "Tests/HistoryProgram"),
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "CSequenceLinux", "Notifier", "NotifierDelivery", "NotifierLedger", "SequenceClient",
        "SequenceFiles", "SequenceNotifications", "SequencePlanning", "SequencePlatform",
        "SequencePresentation", "SequenceRunner", "SequenceStore", "TestSupport",
      ],
      path: "Benchmarks/Program"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "NotifierLedger", "SequenceConfiguration", "SequenceFiles", "SequenceImport", "SequencePlanning",
        "SequencePlatform", "SequenceRunner", "SequenceStore",
      ],
      path: "Tests/FuzzTargets"),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
    .executableTarget(
      name: "torture",
      dependencies: [
        "CSequenceLinux", "NotifierLedger", "SequenceClient", "SequenceConfiguration", "SequencePlanning",
        "SequencePlatform", "SequenceRunner", "SequenceStore", "TestSupport",
      ],
      path: "Tests/Torture"),
    .testTarget(
      name: "SequenceRunnerTests",
      dependencies: [
        "CSequenceLinux", "SequenceFiles", "SequencePlatform", "SequenceRunner", "SequenceStore",
        "TestSupport",
      ]),
    .testTarget(
      name: "SequenceImportTests",
      dependencies: ["SequenceFiles", "SequenceImport", "SequencePlatform", "SequenceRunner", "TestSupport"]),
    .testTarget(
      name: "SequenceFilesTests",
      dependencies: ["SequenceFiles", "SequencePlatform", "SequenceRunner", "TestSupport"]),
    .testTarget(
      name: "SequencePresentationTests",
      dependencies: [
        "SequenceFiles", "SequencePlatform", "SequencePresentation", "SequenceRunner", "TestSupport",
      ]),
    .testTarget(
      name: "NotifierTests",
      dependencies: [
        "CSequenceGLib", "Notifier", "NotifierDelivery", "NotifierLedger", "NotifierTesting",
        "SequenceNotifications",
        "SequencePlanning", "SequencePlatform", "SequencePresentation", "SequenceRunner", "SequenceStore",
        "Simulation", "TestSupport", "recording-server",
      ]),
    .testTarget(
      name: "SequencePlanningTests",
      dependencies: ["NotifierLedger", "SequencePlanning", "SequenceRunner", "SequenceStore", "TestSupport"]),
    .testTarget(
      name: "SequenceConfigurationTests",
      dependencies: [
        "NotifierLedger", "SequenceConfiguration", "SequenceFiles", "SequencePlanning", "SequencePlatform",
        "SequencePresentation", "SequenceRunner", "SequenceStore", "TestSupport",
      ]),
    .testTarget(
      name: "SequenceAgentTests",
      dependencies: [
        "NotifierDelivery", "NotifierLedger", "SequenceAgent", "SequenceClient", "SequenceConfiguration",
        "SequenceFiles", "SequenceNotifications", "SequencePlanning", "SequencePlatform",
        "SequencePresentation", "SequenceRunner", "SequenceStore", "TestSupport",
      ]),
    .testTarget(
      name: "SequenceClientTests",
      dependencies: [
        "Notifier", "NotifierLedger", "SequenceClient", "SequenceConfiguration", "SequenceFiles",
        "SequencePlanning", "SequencePlatform", "SequenceRunner", "SequenceStore", "TestSupport",
      ]),
    .testTarget(
      name: "SequenceCommandTests",
      dependencies: [
        "NotifierLedger", "SequenceClient", "SequenceCommand", "SequenceConfiguration", "SequenceFiles",
        "SequencePlanning", "SequencePlatform", "SequencePresentation", "SequenceRunner", "SequenceStore",
        "TestSupport", "articles-example", "embedding-example", "recording-server",
        "remind-example", "reminders-example", "sequence", "sequence-agent", "sequence-sound", "torture",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// Only the window needs GTK, so it is built only on request.
if Context.environment["SEQUENCE_WINDOW"] == "1" {
  package.products.append(.executable(name: "sequence-window", targets: ["sequence-window"]))
  package.targets += [
    .systemLibrary(
      name: "CSequenceAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
    .target(
      name: "SequenceWindow",
      dependencies: [
        "CSequenceAdwaita", "NotifierLedger", "SequenceClient", "SequenceConfiguration", "SequenceFiles",
        "SequencePlanning", "SequencePlatform", "SequencePresentation", "SequenceRunner", "SequenceStore",
      ],
      resources: [
        "Interface/window.ui", "Interface/run.ui", "Interface/strip.ui", "Interface/quick.ui",
        "Interface/idle.ui", "Interface/card.ui", "Interface/small.ui",
        "Interface/library.ui",
        "Interface/history.ui", "Interface/history_group.ui", "Interface/bar.ui", "Interface/legend.ui",
        "Interface/detail.ui", "Interface/editor.ui", "Interface/row.ui",
        "Interface/end.ui", "Interface/finished.ui", "Interface/step.ui", "Interface/run_row.ui",
        "Interface/new.ui", "Interface/preferences.ui", "Interface/schedule.ui",
        "Interface/style.css",
      ].map { .embedInCode($0) }),
    .executableTarget(name: "sequence-window", dependencies: ["SequenceWindow"]),
    .executableTarget(
      name: "lay-out",
      dependencies: [
        "CSequenceAdwaita", "SequenceFiles", "SequencePlatform", "SequencePresentation", "SequenceRunner",
        "SequenceStore", "SequenceWindow", "TestSupport",
      ],
      path: "Tests/LayoutProgram"),
    .executableTarget(name: "drag-files", dependencies: ["CSequenceAdwaita"], path: "Tests/DragProgram"),
    .testTarget(
      name: "SequenceWindowTests",
      dependencies: [
        "NotifierDelivery", "NotifierLedger", "SequenceClient", "SequenceCommand", "SequenceConfiguration",
        "SequenceFiles", "SequencePlanning", "SequencePlatform", "SequenceRunner", "SequenceStore",
        "SequenceWindow", "TestSupport", "drag-files", "lay-out", "sequence", "sequence-agent",
        "sequence-sound", "sequence-window",
      ]),
  ]
}

// All targets have the same settings: the strictest language mode and, in the checks of a commit, warnings as errors.
// Another compiler may have other warnings, which must not stop a package that depends on this one.
for target in package.targets where target.type != .system {
  var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
  ]
  if Context.environment["SEQUENCE_STRICT"] != nil { settings.append(.treatAllWarnings(as: .error)) }
  // Tests and benchmarks may use unsafe API without marking each use; shipped code may not.
  let isForTests =
    target.type == .test || ["Tests/", "Benchmarks/"].contains { target.path?.hasPrefix($0) == true }
  if !isForTests { settings.append(.strictMemorySafety()) }
  target.swiftSettings = settings
}
