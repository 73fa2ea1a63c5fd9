// One import of the library is enough.
@_exported public import NotificationDelivery
@_exported public import SequencePlanning
@_exported public import SequenceRunner
