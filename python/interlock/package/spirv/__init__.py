"""What a SPIR-V module says about its own interface, read from its words. No shader is compiled or run."""
