"""The agent protocol's JSON Schema, made from the structs of `agent`: `v1.json` beside this file is for implementers of any language.

`AgentMessage` is what an agent may say, `DaemonMessage` what it may hear. `python -m roost_protocol.schema` writes the file;
with `--check` it writes nothing and fails where the file differs.
"""
