"""Rules about payloads: alone, beside their bundle, and beside the graph that they realize."""

from interlock.rules.payload import beside_bundle, beside_graph, bindings, profile

RULES = (*profile.RULES, *beside_bundle.RULES, *beside_graph.RULES, *bindings.RULES)
