import { expect, test } from "bun:test";
import { fieldDescriptions, plainName } from "../../../src/http/openapi/fields/index.ts";
import { renderApiDocument } from "../../../src/http/openapi/index.ts";
import { apiTags } from "../../../src/modules/operations.ts";
import type { Json } from "../../support/checks/json.ts";

const document: Json = JSON.parse(await renderApiDocument(apiTags));

/** Every field of a schema and every parameter below a part of the document. */
function* membersBelow(value: unknown): Generator<{ readonly name: string; readonly member: Json }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) {
    const { properties, name, in: place } = value as Json;
    if (typeof properties === "object" && [(value as Json).type].flat().includes("object")) {
      for (const [field, member] of Object.entries<Json>(properties)) yield { name: field, member };
    }
    if (typeof place === "string" && typeof name === "string") yield { name, member: value as Json };
  }
  for (const each of Object.values(value)) yield* membersBelow(each);
}

const members = [...membersBelow(document)];

test("each field and parameter has a description, or refers to what it is", () => {
  expect(members.length).toBeGreaterThan(4000);
  const without = members.filter(({ member }) => member.description === undefined && member.$ref === undefined);
  expect([...new Set(without.map(({ name }) => plainName(name)))].sort()).toEqual([]);
});

test("each description by name is of a name that there is", () => {
  const names = new Set(members.map(({ name }) => plainName(name)));
  expect([...fieldDescriptions.keys()].filter((name) => !names.has(name))).toEqual([]);
});

test("a description in a schema wins over that of the name", () => {
  const { id } = document.components.schemas.JobPayload.properties;
  expect(id.description).toBe(fieldDescriptions.get("id") ?? "");
  expect(document.components.schemas.JobPayload.properties.token.description).toBe("token of the job");
});

test("what is below `_links` is an address, whatever its name", () => {
  const { labels } = document.components.schemas.Project.properties._links.properties;
  expect(labels.description).toBe("Address in the API");
});
