import { expect, test } from "bun:test";
import { pathOf } from "../../../src/http/openapi/document.ts";
import { exampleKeyOf } from "../../../src/http/openapi/with-examples.ts";
import { operations } from "../../../src/modules/operations.ts";
import { checkDeclaredAnswer } from "../../support/checks/declared-answers.ts";
import type { Json } from "../../support/checks/json.ts";
import { runOutpost } from "../../support/process/outpost-process.ts";

const document: Json = JSON.parse((await runOutpost(["openapi"])).stdout);

const bodies = operations.flatMap((operation) => {
  const described = document.paths[pathOf(operation)][operation.method.toLowerCase()];
  return Object.entries<Json>(described.responses)
    .filter(([status, response]) => status.startsWith("2") && exampleKeyOf(described, response) !== undefined)
    .map(([status, response]) => ({
      operation,
      status: Number(status),
      key: exampleKeyOf(described, response) as string,
      example: response.content["application/json"].examples?.demo as Json,
    }));
});

/** The demo has no staged repository and no signed commit, and makes what it tries. */
const absent = ["CommitSignature", "DryRun", "DryRun", "RepositoryImport"];

test("each success body has an example, where the demo has such a thing", () => {
  expect(bodies.filter(({ example }) => example === undefined).map(({ key }) => key)).toEqual(absent);
});

test("the examples are what the operations declare", () => {
  let count = 0;
  for (const { operation, status, key, example } of bodies) {
    if (example === undefined) continue;
    expect(example).toEqual({ $ref: `#/components/examples/${key}` });
    checkDeclaredAnswer(operation, status, document.components.examples[key].value);
    count += 1;
  }
  expect(count).toBeGreaterThan(250);
});

test("OpenAPI 3.0 has the same examples", async () => {
  const older: Json = JSON.parse((await runOutpost(["openapi", "--3.0"])).stdout);
  expect(older.components.examples).toEqual(document.components.examples);
});

test("errors have the body that a server answered", () => {
  const { responses, examples } = document.components;
  const { Unauthorized, Forbidden, BadRequest, Conflict } = examples;
  const shown = Object.entries<Json>(responses).filter(([, { content }]) => content?.["application/json"].examples);
  expect(shown.map(([name]) => name)).toEqual([
    ...["BadRequest", "Unauthorized", "Forbidden", "NotFound", "NotAllowed", "Conflict", "PreconditionFailed"],
    "UnsupportedType",
  ]);
  expect(Unauthorized.value).toEqual({ message: "401 Unauthorized" });
  expect(Forbidden.value).toMatchObject({ error: "insufficient_scope" });
  expect(BadRequest.value.error).toContain("name, path are missing");
  expect(Conflict.value.message).toContain("taken");
});
