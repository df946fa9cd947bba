import type { Documentation } from "./document.ts";
import type { ApiExamples } from "./examples.ts";
import type { Json } from "./schemas.ts";

/** The document with an example beside each success body that has one. */
export function withExamples(documentation: Documentation, examples: ApiExamples): Documentation {
  const used = new Set<string>();
  const paths = Object.fromEntries(
    Object.entries(documentation.paths).map(([path, item]) => [
      path,
      mapJson(item, (each) => addTo(each, examples, used)),
    ]),
  );
  const named = [...used].sort().map((name): [string, Json] => [name, { value: examples[name] }]);
  return { ...documentation, paths, components: { ...documentation.components, examples: Object.fromEntries(named) } };
}

function addTo(operation: Json, examples: ApiExamples, used: Set<string>): Json {
  const responses = mapJson(operation.responses as Json, (response) => {
    const key = exampleKeyOf(operation, response);
    if (key === undefined || !(key in examples)) return response;
    used.add(key);
    const content = response.content as Json;
    const json = { ...(content[jsonType] as Json), examples: { demo: { $ref: `#/components/examples/${key}` } } };
    return { ...response, content: { ...content, [jsonType]: json } };
  });
  return { ...operation, responses };
}

const jsonType = "application/json";

/** The name of the example of a response; undefined for one that has no JSON, and for errors, which are described once for all. */
export function exampleKeyOf(operation: Json, response: Json): string | undefined {
  const schema = ((response.content as Json | undefined)?.[jsonType] as Json | undefined)?.schema as Json | undefined;
  if (schema === undefined) return undefined;
  const item = nameOf(schema.items as Json | undefined);
  if (item !== undefined) return `${item}List`;
  return nameOf(schema) ?? String(operation.operationId);
}

function nameOf(schema: Json | undefined): string | undefined {
  const reference = schema?.$ref;
  return typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : undefined;
}

function mapJson(part: Json, change: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, change(value as Json)]));
}
