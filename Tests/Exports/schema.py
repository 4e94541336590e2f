"""schema.py OUTBOX: checks every pack.json against pack.schema.json with another program's reading of JSON Schema."""

import json
import sys
from pathlib import Path

import jsonschema

SCHEMA = json.loads((Path(__file__).parents[2] / "pack.schema.json").read_text())

checked = 0
for path in Path(sys.argv[1]).rglob("pack.json"):
    jsonschema.validate(json.loads(path.read_bytes()), SCHEMA)
    checked += 1
assert checked, "no pack.json"
