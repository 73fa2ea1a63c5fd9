// One import of a library that exports this module is enough.
@_exported public import NotificationLedger
@_exported public import Platform
@_exported public import Store
