"""Ready models, one folder for each paper: data only. `condyle.builtin_models` lists them."""
