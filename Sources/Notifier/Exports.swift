// One import of the library is enough.
@_exported public import NotifierDelivery
@_exported public import NotifierLedger
@_exported public import SequencePlatform
@_exported public import SequenceStore
