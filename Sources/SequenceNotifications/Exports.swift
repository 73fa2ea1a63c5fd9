// One import of the library is enough.
@_exported public import NotifierDelivery
@_exported public import SequencePlanning
@_exported public import SequenceRunner
