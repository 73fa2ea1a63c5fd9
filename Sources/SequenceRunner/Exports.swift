// One import of the library is enough.
@_exported public import Platform
@_exported public import Store
