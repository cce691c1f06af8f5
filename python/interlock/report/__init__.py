"""Reports: the model, and its renderings as text for people and as JSON for machines."""
