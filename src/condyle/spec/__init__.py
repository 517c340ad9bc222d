"""The grammar of model files: YAML, quantities with units, names and references, errors. It knows no family."""
