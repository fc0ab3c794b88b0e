"""Writes src/sextant/schema.py, the types of the service's OpenAPI document.

They are those that our own routes use. A choice of members that are required together says nothing that a type could,
and goes; so does a service's promise that there are no more.
"""

import json
import re
import warnings
from pathlib import Path
from typing import Any

from datamodel_code_generator import DataModelType, InputFileType, PythonVersion, generate

HERE = Path(__file__).parent
USED = re.compile(r"#/components/schemas/(\w+)")


def read(members: dict[str, Any]) -> dict[str, Any]:
    choice = members.get("anyOf", [])
    left_out = {"additionalProperties"} if members.get("additionalProperties") is False else set()
    if choice and all(list(each) == ["required"] for each in choice):
        left_out.add("anyOf")
    return {name: member for name, member in members.items() if name not in left_out}


text = (HERE / "../../docs/openapi.json").read_text()
# A measurement has a member `position` of its own, whose type is named after it.
text = text.replace('"Position": {', '"Located": {').replace('schemas/Position"', 'schemas/Located"')
document = json.loads(text, object_hook=read)
schemas = document["components"]["schemas"]
own = [
    operation
    for item in document["paths"].values()
    for operation in item.values()
    if isinstance(operation, dict) and "dialects" not in operation.get("tags", [])
]
used = set(USED.findall(json.dumps(own)))
new = used
while new:
    new = {name for each in new for name in USED.findall(json.dumps(schemas[each]))} - used
    used |= new
document["components"]["schemas"] = {name: schemas[name] for name in schemas if name in used}
document["paths"] = {}

warnings.simplefilter("ignore", FutureWarning)
generate(
    json.dumps(document),
    input_file_type=InputFileType.OpenAPI,
    output=HERE / "src/sextant/schema.py",
    output_model_type=DataModelType.TypingTypedDict,
    target_python_version=PythonVersion.PY_311,
    use_double_quotes=True,
    disable_timestamp=True,
)
