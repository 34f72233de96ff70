// Whoever imports the engine has the types of its fixes and fences too.
@_exported public import Estimation
@_exported public import Fences
