"""What a document holds, computed for people."""
