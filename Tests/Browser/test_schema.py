"""What a daemon writes, read with pack.schema.json by another program. By the standard, a schema allows members that it does not
describe; here none may be left out.
"""

import json
import pathlib

import pytest
from jsonschema import Draft202012Validator

SCHEMA = json.loads(pathlib.Path(__file__).parents[2].joinpath("pack.schema.json").read_text())


def closed(schema):
    """The same without members that are not described."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closing = {"additionalProperties": False} if "properties" in schema else {}
    return {name: closed(part) for name, part in schema.items()} | closing


Draft202012Validator.check_schema(SCHEMA)
READERS = [Draft202012Validator(SCHEMA), Draft202012Validator(closed(SCHEMA))]


def test_a_daemons_files_match_the_schema(outbox, pack):
    indexes = [path for place in (outbox, pack) for path in place.outbox.rglob("pack.json")]
    pages = list(pack.outbox.glob("pack/*.json"))
    assert len(indexes) >= 3 and len(pages) >= 10
    for path in [*indexes, *pages]:
        for reader in READERS:
            reader.validate(json.loads(path.read_bytes()))
    assert any(json.loads(path.read_bytes())["failed"] for path in indexes)


@pytest.mark.parametrize("text", [
    "{}", '{"schemaVersion":3,"revision":1}', '{"schemaVersion":1,"revision":1,"stickers":[]}',
    '{"schemaVersion":3,"revision":0,"stickers":[]}', '{"schemaVersion":3,"revision":1,"stickers":[1]}',
])
def test_the_schema_finds_errors(text):
    assert not READERS[0].is_valid(json.loads(text))
