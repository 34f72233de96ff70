// A program that imports the engine gets fixes, their times and fences with it.
@_exported public import Estimation
@_exported public import Fences
