import { afterAll, expect, spyOn, test } from "bun:test";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { until } from "../../support/process/fault-client.ts";

const size = 1e11;
let freePercent = 50;
const spies = [
  spyOn(process, "constrainedMemory").mockImplementation(() => size),
  spyOn(process, "availableMemory").mockImplementation(() => (size * freePercent) / 100),
];
afterAll(() => {
  for (const each of spies) each.mockRestore();
});

const world = await startWorld({ minFreeMemory: 8 });
const { token } = await world.user();
const json = { path: "p", visibility: "public" };
const { id } = (await world.call("POST", "/projects", { token, json })).body;
const path = `/projects/${id}/issues`;
const make = (as: string) => world.call("POST", path, { token: as, json: { title: "t" } });
for (let count = 0; count < 3; count += 1) await make(token);

test("in the last reserve only deletions, signing in and what administrators do are accepted", async () => {
  freePercent = 1.9;
  await until("the server has noticed", async () => (await make(token)).status === 507);
  const { body } = await make(token);
  expect(body.message).toBe(
    "507 Insufficient Storage - less than 2 % of the memory is free; only deletions, signing in, and changes by administrators are accepted",
  );
  const call = async (method: string, rest: string, as: string | undefined, sent?: object) =>
    (await world.call(method, rest, { token: as, ...(sent ? { json: sent } : {}) })).status;
  expect(await call("PUT", `${path}/1`, token, { title: "other" })).toBe(507);
  expect(await call("POST", `${path}/1/notes`, token, { body: "x" })).toBe(507);
  expect(await call("GET", `${path}/1`, token)).toBe(200);
  expect(await call("POST", "/-/session", undefined, { token })).toBe(201);
  expect(await call("PUT", `${path}/1`, rootToken, { title: "other" })).toBe(200);
  expect(await call("DELETE", "/personal_access_tokens/0", token)).toBe(404);
  expect(await call("DELETE", `${path}/2`, rootToken)).toBe(204);
});
