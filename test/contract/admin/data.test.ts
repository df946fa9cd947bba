import { expect, test } from "bun:test";
import { auditEvents } from "../../../src/modules/core/audit-events/records.ts";
import { linksOf } from "../../support/fixtures/links.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user({ name: "Ann" });
const collections = async (): Promise<Json[]> => (await world.get("/-/data")).body;
const collection = async (name: string) => (await collections()).find((each) => each.name === name);

test("each collection has its number of documents, and its bytes once they are written back", async () => {
  const users = await collection("users");
  expect(users).toMatchObject({ kind: "documents", is_secret: false });
  expect(users.documents).toBe(Number((await world.get("/users?per_page=1")).headers.get("x-total")));
  await world.store.checkpoint();
  expect((await collection("users")).bytes).toBeGreaterThan(100);
  expect(await collection("audit-events")).toMatchObject({
    kind: "log",
    documents: world.store.logOf(auditEvents).size,
  });
  expect((await collections()).map(({ name }) => name)).toEqual(
    world.context.collections.map(({ name }) => name).sort(),
  );
});

test("documents are listed by id, page after page", async () => {
  const ids = world.events().map(({ id }) => id);
  for (const [name, expected] of [
    ["users", [1, ann.id]],
    ["audit-events", ids.slice(0, 4)],
  ] as const) {
    const seen: number[] = [];
    let path: string | undefined = `/-/data/${name}?per_page=1`;
    while (path !== undefined && seen.length < expected.length) {
      const { body, headers } = await world.get(path);
      seen.push(...body.map(({ id }: Json) => id));
      path = linksOf(headers).get("next")?.slice(world.origin.length);
    }
    expect(seen.filter((id) => (expected as readonly number[]).includes(id))).toEqual([...expected]);
  }
  const { body } = await world.get(`/-/data/users?from_id=${ann.id}`);
  expect(body).toEqual([{ id: ann.id, label: ann.username }]);
});

test("a document is shown without its secrets", async () => {
  const { body } = await world.get(`/-/data/users/${ann.id}`);
  expect(body).toMatchObject({ collection: "users", id: ann.id, document: { username: ann.username, name: "Ann" } });
  const { body: tokens } = await world.get("/-/data/personal-access-tokens");
  const { text } = await world.get(`/-/data/personal-access-tokens/${tokens[0].id}`);
  const shown = JSON.parse(text);
  expect(shown.hidden.length).toBeGreaterThan(0);
  for (const name of shown.hidden) expect(shown.document[name] ?? null).toBeNull();
  expect(text).not.toContain(rootToken);
});

test("secret collections have sizes and no documents", async () => {
  const secret = (await collections()).filter(({ is_secret }) => is_secret);
  expect(secret.length).toBeGreaterThan(0);
  for (const { name } of secret) {
    expect((await world.get(`/-/data/${name}`)).status).toBe(403);
    expect((await world.get(`/-/data/${name}/1`)).status).toBe(403);
  }
});

test("unknown collections and documents are 404, and other callers see nothing", async () => {
  for (const path of ["/-/data/unheard-of", "/-/data/unheard-of/1", "/-/data/users/4711", "/-/data/sequences"]) {
    expect([path, (await world.get(path)).status]).toEqual([path, 404]);
  }
  for (const path of ["/-/data", "/-/data/users", `/-/data/users/${ann.id}`]) {
    expect((await world.call("GET", path, { token: ann.token })).status).toBe(403);
    expect((await world.call("GET", path)).status).toBe(401);
  }
});
