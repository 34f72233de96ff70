// Nothing: the declarations are in the Swift module.
