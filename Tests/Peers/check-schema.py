"""check-schema.py SCHEMA: reads lines {"definition": NAME, "instance": …} and prints what is invalid.

NAME is one of the schema's `$defs`. The exit code is 1 when something is invalid.
"""

import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1], encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
valid = True
for line in sys.stdin:
    case = json.loads(line)
    rule = {"$defs": schema["$defs"], "$ref": "#/$defs/" + case["definition"]}
    for error in jsonschema.Draft202012Validator(rule).iter_errors(case["instance"]):
        print(f"{case['definition']}: {error.json_path}: {error.message}")
        valid = False
sys.exit(not valid)
