"""Translation of foreign formats: one package each, pure functions, no dependency on the foreign tool."""
