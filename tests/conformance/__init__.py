"""The conformance kit's own tests: a raw client that passes every scenario, and broken ones that fail the right ones."""
