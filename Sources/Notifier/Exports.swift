// One import of the library is enough.
@_exported public import NotificationDelivery
@_exported public import NotificationLedger
@_exported public import Platform
@_exported public import Store
