import { expect, test } from "bun:test";
import { type Person, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld({ userWriteQuotaMb: 3 });
const [ann, bob] = [await world.user(), await world.user()];
const json = { name: "texts", visibility: "public" };
const project = (await world.call("POST", "/projects", { token: ann.token, json })).body;
const path = `/projects/${project.id}/issues`;
const write = (token: string, length: number) =>
  world.call("POST", path, { token, json: { title: "t", description: "x".repeat(length) } });
const mebibyte = 1 << 20;

test("one user writes so much in an hour, and is told when it goes on", async () => {
  for (let count = 0; count < 3; count += 1) expect((await write(ann.token, mebibyte)).status).toBe(201);
  const refused = await write(ann.token, 10);
  expect([refused.status, refused.body]).toEqual([
    429,
    { message: "429 Too Many Requests - one user may write 3 MiB of changes in an hour" },
  ]);
  expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 3_601);
});

test("others, administrators, reads and removals go on", async () => {
  expect((await write(bob.token, mebibyte)).status).toBe(201);
  for (let count = 0; count < 4; count += 1) expect((await write(rootToken, mebibyte)).status).toBe(201);
  const as = (person: Person, method: string, rest = "") =>
    world.call(method, `${path}${rest}`, { token: person.token });
  expect((await as(ann, "GET", "?per_page=1")).status).toBe(200);
  expect((await as(ann, "DELETE", "/1")).status).toBe(204);
});

test("signing in goes on", async () => {
  const json = { token: ann.token };
  expect((await world.call("POST", "/-/session", { json })).status).toBe(201);
  expect((await world.call("POST", "/-/session", { token: ann.token, json })).status).toBe(201);
  expect((await write(ann.token, 10)).status).toBe(429);
});

test("in the next hour the user goes on, and small changes count: their texts, and 512 bytes for each document", async () => {
  world.clock.advance(3_600_000);
  expect((await write(ann.token, 2 * mebibyte - 100)).status).toBe(400);
  expect((await write(ann.token, mebibyte)).status).toBe(201);
  const statuses: number[] = [];
  while (statuses.length < 2_000 && statuses.at(-1) !== 429) statuses.push((await write(ann.token, 10)).status);
  // Two MiB are left, and an issue has more than 500 bytes.
  expect(statuses.length).toBeWithin(300, 2_000);
});
