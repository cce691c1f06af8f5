"""Speed of verification: how it grows with the graph, for graphs of many shapes, and on the schedule of a trained model.

``run`` returns what it measured. Growth is the ratio of the times at 10,000 and at 1,000 nodes; no shape may take
more than 12 times as long. The schedule is one like those of a training step, 1,292 dispatches over an arena that
is used again and again; what it is measured against is the time to load it.
"""
