"""The decode cases of the conformance suite, described for people.

Each module describes one group: what the input is, composed from named parts, and what reading it has to say,
stated by hand from docs/canonical-form.md. `tools/make_decode_cases.py` writes them below
tests/conformance/decode.
"""
