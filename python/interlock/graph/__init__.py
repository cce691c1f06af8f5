"""The index of a graph, and what the options of the schema say about a document: everything rules ask."""
