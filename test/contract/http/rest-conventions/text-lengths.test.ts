import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { pathParameters } from "../../../../src/modules/kernel/operation.ts";
import { operations } from "../../../support/checks/operations.ts";
import { putGroup, putProject } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

/** Parameters of any type, and why their texts need no maximum of their own. */
const anything = new Map([
  ["payload_example", "has a maximum in bytes as a whole"],
  ["payload_attribute_mappings[][path][]", "the mappings have a maximum as a whole"],
  ["payload", "has a maximum in bytes as a whole"],
  ["variables[*]", "a run has limits for its variables"],
  ["inputs[*]", "the inputs of a file have a maximum of their own"],
  ["inputs[][value]", "the inputs of a schedule have a maximum as a whole"],
  ["info[*]", "only known members are kept"],
  ["output[*]", "nothing of it is kept"],
]);

/** Every text below a schema that a caller may fill as they like. */
function textsOf(schema: TSchema, label: string): [label: string, schema: TSchema][] {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap((member: TSchema) => textsOf(member, label));
  if (schema.type === "array") return textsOf(schema.items, `${label}[]`);
  if (schema.type === "object") {
    const members = Object.entries<TSchema>({ ...schema.properties });
    const others = Object.values<TSchema>({ ...schema.patternProperties });
    return [
      ...members.flatMap(([name, member]) => textsOf(member, `${label}[${name}]`)),
      ...others.flatMap((member) => textsOf(member, `${label}[*]`)),
    ];
  }
  const isAnything = schema.type === undefined && !("const" in schema) && schema.contentMediaType === undefined;
  return schema.type === "string" || isAnything ? [[label, schema]] : [];
}

/** Read as what their format says, and not kept as they were sent. */
const isReadAsAnother = ({ format, integerNoneOrAny }: TSchema) => format !== undefined || integerNoneOrAny === true;

describe("every declared text", () => {
  for (const { method, path, params } of operations) {
    test(`${method} ${path}`, () => {
      const texts = Object.entries<TSchema>(params.properties).flatMap(([name, schema]) => textsOf(schema, name));
      const unbounded = texts.filter(
        ([label, schema]) =>
          !isReadAsAnother(schema) && !(schema.maxLength > 0) && !("const" in schema) && !anything.has(label),
      );
      expect(unbounded.map(([label]) => label)).toEqual([]);
      const inQuery = texts.filter(([label]) => method === "GET" && !pathParameters(path).includes(label));
      for (const [label, { maxLength = 0 }] of inQuery) expect([label, maxLength > 8_192]).toEqual([label, false]);
    });
  }
});

const world = await startWorld();
const group = putGroup(world);
const project = putProject(world, group.id);
const tooLong = (name: string, max: number) => ({
  message: { [name]: [`is too long (maximum is ${max} characters)`] },
});
/** As `tooLong`, where the declaration refuses and no model. */
const refused = (name: string, max: number) => {
  const error = `${name} is too long (maximum is ${max} characters)`;
  return { error, message: error };
};
/** As `tooLong`, in a text. */
const notMade = (name: string, max: number) => ({
  message: `Failed to create milestone {:${name}=>["is too long (maximum is ${max} characters)"]}`,
});
const snippet = { title: "a", file_name: "a.txt", content: "a" };
const commit = { branch: "main", content: "a" };
const mebi = 1_048_576;

describe("a text of the maximum is taken, and one that is longer is refused", () => {
  test.each([
    ["/labels", { name: "a", color: "red" }, "description", 65_536, tooLong("description", 65_536)],
    ["/milestones", { title: "a" }, "description", mebi, notMade("description", mebi)],
    ["/snippets", { ...snippet, visibility: "private" }, "description", mebi, tooLong("description", mebi)],
    ["/issues", { title: "a" }, "description", mebi, tooLong("description", mebi)],
    ["/triggers", {}, "description", 255, refused("description", 255)],
    ["/repository/files/a", commit, "commit_message", 65_536, refused("commit_message", 65_536)],
    ["/repository/files/b", { ...commit, commit_message: "a" }, "author_name", 255, refused("author_name", 255)],
    ["/repository/files/c", { ...commit, commit_message: "a" }, "author_email", 255, refused("author_email", 255)],
    ["/repository/tags", { tag_name: "a", ref: "main" }, "message", 65_536, refused("message", 65_536)],
  ])("POST …%s %o %s", async (path, json, name, max, refusal) => {
    const post = (length: number) =>
      world.call("POST", `/projects/${project.id}${path}`, {
        token: rootToken,
        json: { ...json, [name]: "x".repeat(length) },
      });
    const { status, body } = await post(max + 1);
    expect({ status, body }).toEqual({ status: 400, body: refusal });
    expect((await post(max)).status).toBe(201);
  });

  test("a text that is longer than its declaration says is refused before anything is looked up", async () => {
    const json = { name: "a", import_url: `https://a.example/${"x".repeat(2_048)}` };
    const { status, body } = await world.call("POST", "/projects", { token: rootToken, json });
    expect({ status, body }).toEqual({ status: 400, body: refused("import_url", 2_048) });
  });

  test("255 signs of two UTF-16 units are 255 characters", async () => {
    const name = "🚀".repeat(255);
    const { status } = await world.call("POST", `/projects/${project.id}/labels`, {
      token: rootToken,
      json: { name, color: "red" },
    });
    expect(status).toBe(201);
  });
});
