import { expect, test } from "bun:test";
import { Failure } from "../../../src/domain/failure.ts";
import { callInProcess, type InProcessCall } from "../../../src/http/entry/in-process.ts";
import { operations } from "../../support/checks/operations.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
await world.rootPasswordStored();
const call = (asked: InProcessCall) => callInProcess(world.context, operations, asked);

async function failureOf(asked: InProcessCall): Promise<unknown[]> {
  try {
    await call(asked);
  } catch (error) {
    if (error instanceof Failure) return [error.kind, error.body.error ?? error.body.message];
    throw error;
  }
  throw new Error("it was accepted");
}

test("a call in process is an administrator's, and names no user", async () => {
  const values = { username: "pia", name: "Pia", email: "pia@skylark.example", force_random_password: "true" };
  const made = (await call({ method: "POST", path: "/users", values })) as { id: number };
  expect(made).toMatchObject({ username: "pia", created_by: null });
  const { body } = await world.get(`/users/${made.id}`);
  expect(body).toMatchObject({ username: "pia", created_by: null });
  expect(world.events().at(-1)).toMatchObject({
    event_name: "user_created",
    author_id: -1,
    details: { author_name: "An unauthenticated user", author_email: null, author_class: "UnauthenticatedAuthor" },
  });
});

test("a call in process fails as a request does: parameters, rules and paths", async () => {
  const without = { username: "x", name: "X", email: "x@skylark.example" };
  const { body: missing } = await world.call("POST", "/users", { token: rootToken, json: without });
  expect(await failureOf({ method: "POST", path: "/users", values: without })).toEqual(["parameters", missing.error]);
  const odd = { method: "GET", path: "/users", values: { order_by: "size" } };
  const { body: oddAnswer } = await world.get("/users?order_by=size");
  expect(await failureOf(odd)).toEqual(["parameters", oddAnswer.error]);
  expect(await failureOf({ method: "POST", path: "/users/1/ban", values: {} })).toEqual([
    "forbidden",
    "403 Forbidden - There must be an active administrator",
  ]);
  expect((await failureOf({ method: "GET", path: "/nothing/here", values: {} }))[0]).toBe("unknown_route");
  expect((await failureOf({ method: "PUT", path: "/job", values: {} }))[0]).toBe("unknown_route");
});

test("operations for running jobs only are closed to the operator", async () => {
  expect((await failureOf({ method: "GET", path: "/job", values: {} }))[0]).toBe("not_found");
});
