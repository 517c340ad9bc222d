"""All declarations joined: what a model file may say, and the arrays it becomes."""
