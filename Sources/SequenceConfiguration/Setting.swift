import NotifierLedger
import SequencePlanning
import SequencePlatform
import SequenceFiles
import SequenceRunner

/// A setting of `config.yaml`: its keys, its values, and the property of the configuration that has its value.
package struct Setting: Sendable {
  package let keys: [String]
  /// The values to choose from, in the order of a list; `nil` is a missing key.
  package let choices: [String?]
  /// The members of its part of the schema, without the description; empty for a choice of words.
  package let schema: StaticString
  let read: @Sendable (YAMLNode, inout Configuration) throws(SequenceFileError) -> Void
  /// Returns the value as it is written in the file; `nil` if none is set, or it isn't one word.
  package let text: @Sendable (Configuration) -> String?

  private init<Value>(
    _ keys: [String], _ form: Form<Value>,
    text: @escaping @Sendable (Configuration) -> String?,
    set: @escaping @Sendable (inout Configuration, Value) -> Void
  ) {
    self.keys = keys
    self.text = text
    (choices, schema) = (form.choices, form.schema)
    let key = keys[keys.count - 1]
    read = { node, configuration throws(SequenceFileError) in
      set(&configuration, try form.value(node, key))
    }
  }

  init<Value>(
    _ keys: String..., property: any WritableKeyPath<Configuration, Value> & Sendable, form: Form<Value>
  ) {
    self.init(keys, form) {
      form.text($0[keyPath: property])
    } set: {
      $0[keyPath: property] = $1
    }
  }

  /// A setting of the style of notifications: of one kind, or of all kinds for `nil`.
  static func style<Value>(
    of kind: RunEvent.Name?, _ key: String,
    _ property: any WritableKeyPath<NotificationStyle, Value> & Sendable,
    _ form: Form<Value>
  ) -> Setting {
    let kinds = kind.map { [$0] } ?? Setting.kinds
    return Setting(["notifications"] + (kind.map { [$0.rawValue] } ?? []) + [key], form) { configuration in
      kind.flatMap { configuration.styles[$0] }.flatMap { form.text($0[keyPath: property]) }
    } set: { configuration, value in
      for kind in kinds {
        configuration.styles[kind, default: NotificationStyle()][keyPath: property] = value
      }
    }
  }

  static let kinds: [RunEvent.Name] = [
    .runStart, .stepEnd, .overtime, .goal, .reminder, .runEnd, .pause, .return,
  ]

  /// Its keys as one text, such as `panel.icon`.
  package var id: String { keys.joined(separator: ".") }
}

struct Form<Value>: Sendable {
  var choices: [String?] = []
  var schema: StaticString = ""
  let value: @Sendable (_ node: YAMLNode, _ key: String) throws(SequenceFileError) -> Value
  let text: @Sendable (Value) -> String?
}

extension Form where Value: RawRepresentable<String> & CaseIterable & Sendable {
  static var word: Form {
    let words = Value.allCases.map(\.rawValue)
    return Form(choices: words) { node, key throws(SequenceFileError) in
      guard case .scalar(let text) = node.content, let value = Value(rawValue: text) else {
        throw wrong("\(key) must be \(alternatives(words)), not \(node.kind)", node)
      }
      return value
    } text: {
      $0.rawValue
    }
  }
}

extension Form<SuspendPolicy?> {
  static var policy: Form {
    Form(choices: SuspendPolicy.allCases.map(\.rawValue)) { node, key throws(SequenceFileError) in
      try SuspendPolicy(node, key)
    } text: {
      ($0 ?? .continue).rawValue
    }
  }
}

extension Form<Bool> {
  static var flag: Form {
    Form(choices: ["true", "false"], schema: #""type": "boolean""#) { node, _ throws(SequenceFileError) in
      try node.boolean()
    } text: {
      $0 ? "true" : "false"
    }
  }
}

extension Form<Bool?> {
  /// A flag whose missing key is a third choice.
  static var optionalFlag: Form {
    Form(choices: ["true", nil, "false"], schema: #""type": "boolean""#) {
      node, _ throws(SequenceFileError) in
      try node.boolean()
    } text: {
      $0.map { $0 ? "true" : "false" }
    }
  }
}

extension Form<Int> {
  static var percent: Form {
    Form(schema: #""type": "integer", "minimum": 0, "maximum": 100"#) { node, key throws(SequenceFileError) in
      guard case .scalar(let text) = node.content, let percent = Int(text), (0...100).contains(percent) else {
        throw wrong("\(key) must be a number from 0 to 100, not \(node.kind)", node)
      }
      return percent
    } text: {
      String($0)
    }
  }

  static func seconds(most: Int) -> Form {
    Form(schema: ##""$ref": "#/definitions/duration""##) { node, key throws(SequenceFileError) in
      let time = try node.duration()
      let seconds = Int(time.components.seconds)
      guard .seconds(seconds) == time, seconds <= most else {
        throw wrong("\(key) must be in whole seconds, \(most)s at most, not \(node.kind)", node)
      }
      return seconds
    } text: {
      "\($0)s"
    }
  }
}

extension Form<String?> {
  /// A name, or `none`, which is a missing value.
  static var name: Form {
    Form(choices: [nil, "none"], schema: #""type": "string", "minLength": 1"#) {
      node, key throws(SequenceFileError) in
      guard case .scalar(let text) = node.content, !text.isEmpty else {
        throw wrong("\(key) must be a name or none, not \(node.kind)", node)
      }
      return text == "none" ? nil : text
    } text: {
      $0 ?? "none"
    }
  }

  /// A name, or `none`, which is an empty text.
  static var icon: Form {
    Form(schema: name.schema) { node, key throws(SequenceFileError) in
      try name.value(node, key) ?? ""
    } text: {
      $0.map { $0.isEmpty ? "none" : $0 }
    }
  }

  /// The name or the path of a sound of a moment, or `none`, which is an empty text.
  static func sound(at moment: CueSound) -> Form {
    Form(
      choices: (moment.standard == nil ? [nil] : []) + CueSound.names + ["none"],
      schema: #""type": "string", "minLength": 1, "maxLength": 900"#
    ) { node, _ throws(SequenceFileError) in
      try node.sound()
    } text: {
      ($0 ?? moment.standard).map { $0.isEmpty ? "none" : $0 }
    }
  }
}

extension Form<TimeOfDay> {
  static var dayStart: Form {
    Form(
      choices: (0...6).map { "\($0):00" },
      schema: #""type": "string", "pattern": "^([0-9]|0[0-9]|1[01]):[0-5][0-9]$|^12:00$""#
    ) { node, key throws(SequenceFileError) in
      guard case .scalar(let text) = node.content, let time = TimeOfDay(text),
        (time.hour, time.minute) <= (12, 0)
      else { throw wrong("\(key) must be a time from 0:00 to 12:00, not \(node.kind)", node) }
      return time
    } text: {
      "\($0.hour):\($0.minute < 10 ? "0" : "")\($0.minute)"
    }
  }
}

extension Form<StepCondition?> {
  static var steps: Form {
    Form(choices: [nil, "work", "rest"], schema: ##""$ref": "#/definitions/when""##) {
      node, _ throws(SequenceFileError) in
      try StepCondition(node)
    } text: {
      switch $0 {
      case .work: "work"
      case .rest: "rest"
      case .title, nil: nil
      }
    }
  }
}

extension Form<[Hook]> {
  static var hooks: Form {
    Form(schema: ##""type": "array", "maxItems": 64, "items": { "$ref": "#/definitions/hook" }"##) {
      node, _ throws(SequenceFileError) in
      try Hook.list(node)
    } text: { _ in
      nil
    }
  }
}
