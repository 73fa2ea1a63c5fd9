// One import of a library that exports this module is enough.
@_exported public import NotifierLedger
@_exported public import SequencePlatform
@_exported public import SequenceStore
