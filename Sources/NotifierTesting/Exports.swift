// One import of the library is enough.
@_exported public import Notifier
