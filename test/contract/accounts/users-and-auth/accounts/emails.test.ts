import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { emails } from "../../../../../src/modules/core/users/index.ts";
import { users } from "../../../../../src/modules/core/users/records.ts";
import { type CallOptions, type Json, type Person, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
let count = 0;
const address = () => {
  count += 1;
  return `second${count}@second.example`;
};
const call = (method: string, path: string, token: string | undefined, options: CallOptions = {}) =>
  world.call(method, path, { token, ...options });
const listOf = async (id: number): Promise<Json[]> => (await world.get(`/users/${id}/emails`)).body;
const addTo = (id: number, json: object) => call("POST", `/users/${id}/emails`, rootToken, { json });
const confirmed = (attributes: object = {}) => world.user({ skip_confirmation: true, ...attributes });
const invalid = (text: string) => ({ message: { email: [text] } });
const notFound = { message: "404 Email Not Found" };

test("the list starts with the primary address once it is confirmed, and continues oldest first", async () => {
  const person = await confirmed();
  const unconfirmed = await world.user();
  const given = [address(), address(), address()];
  for (const email of given) await addTo(person.id, { email });
  const list = (await call("GET", "/user/emails", person.token)).body;
  expect(list.map((entry: Json) => entry.email)).toEqual([person.email, ...given]);
  expect(list[0]).toEqual({ id: expect.any(Number), email: person.email, confirmed_at: person.record.confirmed_at });
  expect(list[1].confirmed_at).toBeNull();
  expect(await listOf(person.id)).toEqual(list);
  expect(await listOf(unconfirmed.id)).toEqual([]);
});

test("lists have pages", async () => {
  const person = await confirmed();
  for (let more = 0; more < 4; more += 1) await addTo(person.id, { email: address() });
  const whole = await listOf(person.id);
  for (const [page, items] of [
    [1, whole.slice(0, 2)],
    [2, whole.slice(2, 4)],
    [3, whole.slice(4)],
    [4, []],
  ] as const) {
    const { body, headers } = await call("GET", "/user/emails", person.token, { query: { page, per_page: 2 } });
    expect([body, headers.get("x-total"), headers.get("x-total-pages")]).toEqual([items, "5", "3"]);
    expect(headers.get("x-next-page")).toBe(page < 3 ? String(page + 1) : "");
  }
});

test("users add their own address as unconfirmed, whatever the request says", async () => {
  const person = await confirmed();
  const email = address();
  const json = { email: ` ${email.toUpperCase()} `, skip_confirmation: true };
  const { status, body } = await call("POST", "/user/emails", person.token, { json });
  expect([status, body]).toEqual([201, { id: expect.any(Number), email, confirmed_at: null }]);
  expect((await call("GET", `/user/emails/${body.id}`, person.token)).body).toEqual(body);
});

test("an administrator adds addresses for other users, confirmed at once on request", async () => {
  const { id } = await world.user();
  expect((await addTo(id, { email: address() })).body.confirmed_at).toBeNull();
  const { status, body } = await addTo(id, { email: address(), skip_confirmation: true });
  expect([status, body.confirmed_at]).toEqual([201, world.clock.time()]);
});

describe("an address is refused", () => {
  for (const email of ["", "no address", "a@b@c", "@x.example", `${"x".repeat(250)}@x.example`]) {
    test(`when it is ${JSON.stringify(email.slice(0, 20))}`, async () => {
      const person = await world.user();
      const own = await call("POST", "/user/emails", person.token, { json: { email } });
      expect([own.status, own.body]).toEqual([400, invalid("is invalid")]);
      expect((await addTo(person.id, { email })).body).toEqual(invalid("is invalid"));
    });
  }

  test("when it is missing, even for an unknown user", async () => {
    const { status, body } = await addTo(999_999, {});
    expect([status, body.error]).toEqual([400, "email is missing"]);
    expect((await call("POST", "/user/emails", rootToken, { json: {} })).body.error).toBe("email is missing");
  });

  test("when another user has it, as primary or secondary, confirmed or not", async () => {
    const holder = await world.user();
    const [open, closed] = [address(), address()];
    await addTo(holder.id, { email: open });
    await addTo(holder.id, { email: closed, skip_confirmation: true });
    const other = await world.user();
    for (const email of [holder.email, open, closed, open.toUpperCase(), other.email]) {
      for (const id of [other.id, holder.id]) {
        const { status, body } = await addTo(id, { email });
        expect([status, body]).toEqual([400, invalid("has already been taken")]);
      }
    }
    expect(await listOf(other.id)).toEqual([]);
  });
});

test("addresses of other users are 404, for administrators too", async () => {
  const [person, other] = [await confirmed(), await world.user()];
  const { id } = (await addTo(person.id, { email: address() })).body;
  const primary = (await listOf(person.id))[0].id;
  for (const token of [rootToken, other.token]) {
    for (const each of [id, primary, 999_999]) {
      const read = await call("GET", `/user/emails/${each}`, token);
      expect([read.status, read.body]).toEqual([404, notFound]);
      const removed = await call("DELETE", `/user/emails/${each}`, token);
      expect([removed.status, removed.body]).toEqual([404, notFound]);
    }
  }
  const throughOther = await call("DELETE", `/users/${other.id}/emails/${id}`, rootToken);
  expect([throughOther.status, throughOther.body]).toEqual([404, notFound]);
  expect(await listOf(person.id)).toHaveLength(2);
});

test("the user is looked up before the address, and both ids have to be numbers", async () => {
  const nobody = { message: "404 User Not Found" };
  expect((await world.get("/users/999999/emails")).body).toEqual(nobody);
  expect((await addTo(999_999, { email: address() })).body).toEqual(nobody);
  const { status, body } = await call("DELETE", "/users/999999/emails/1", rootToken);
  expect([status, body]).toEqual([404, nobody]);
  for (const [method, path] of [
    ["GET", "/user/emails/x"],
    ["DELETE", "/user/emails/x"],
    ["DELETE", `/users/${1}/emails/x`],
  ] as const) {
    const wrong = await call(method, path, rootToken);
    expect([wrong.status, wrong.body.error]).toEqual([400, "email_id is invalid"]);
  }
  expect((await call("GET", "/users/x/emails", rootToken)).status).toBe(404);
});

test("only administrators read the addresses of other users", async () => {
  const person = await world.user();
  for (const [method, path, json] of [
    ["GET", `/users/${person.id}/emails`, undefined],
    ["POST", `/users/${person.id}/emails`, { email: address() }],
    ["DELETE", `/users/${person.id}/emails/1`, undefined],
  ] as const) {
    const options = json === undefined ? {} : { json };
    expect((await call(method, path, undefined, options)).status).toBe(401);
    const { status, body } = await call(method, path, person.token, options);
    expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
  }
});

describe("a deletion", () => {
  const removals: [string, (person: Person, id: number, options?: CallOptions) => ReturnType<typeof call>][] = [
    ["by oneself", (person, id, options) => call("DELETE", `/user/emails/${id}`, person.token, options)],
    [
      "by an administrator",
      (person, id, options) => call("DELETE", `/users/${person.id}/emails/${id}`, rootToken, options),
    ],
  ];
  for (const [name, remove] of removals) {
    test(`${name} takes a secondary address`, async () => {
      const person = await confirmed();
      const email = address();
      const { id } = (await addTo(person.id, { email })).body;
      expect((await remove(person, id)).status).toBe(204);
      expect((await remove(person, id)).status).toBe(404);
      expect((await listOf(person.id)).map((entry) => entry.email)).toEqual([person.email]);
      expect((await addTo(person.id, { email })).status).toBe(201);
    });

    test(`${name} does not take the primary address`, async () => {
      const person = await confirmed();
      const [primary] = await listOf(person.id);
      expect((await remove(person, primary.id)).status).toBe(400);
      expect(await listOf(person.id)).toEqual([primary]);
    });

    test(`${name} is refused when the address changed since`, async () => {
      const person = await confirmed();
      const { id } = (await addTo(person.id, { email: address() })).body;
      const since = (offsetMs: number) => ({ headers: { "If-Unmodified-Since": world.clock.time(offsetMs) } });
      const { status, body } = await remove(person, id, since(-1));
      expect([status, body]).toEqual([412, { message: "412 Precondition Failed" }]);
      expect((await remove(person, id, since(0))).status).toBe(204);
    });
  }

  test("replaces the address by the primary one wherever it was used", async () => {
    const person = await confirmed();
    const email = address();
    const { id } = (await addTo(person.id, { email, skip_confirmation: true })).body;
    const json = { public_email: email, commit_email: email };
    const changed = (await call("PUT", `/users/${person.id}`, rootToken, { json })).body;
    expect([changed.public_email, changed.commit_email]).toEqual([email, email]);
    expect((await call("DELETE", `/user/emails/${id}`, person.token)).status).toBe(204);
    const { body } = await world.get(`/users/${person.id}`);
    expect([body.public_email, body.commit_email, body.email]).toEqual([person.email, person.email, person.email]);
  });
});

test("adding and deleting are audited", async () => {
  const person = await world.user({ name: "Audited Ann" });
  const before = world.events().length;
  const email = address();
  const { id } = (await call("POST", "/user/emails", person.token, { json: { email } })).body;
  await call("DELETE", `/users/${person.id}/emails/${id}`, rootToken);
  await addTo(person.id, { email: "no address" });
  const common = { target_id: id, target_type: "Email", target_details: email, entity_path: person.username };
  expect(world.events(before)).toMatchObject([
    {
      event_name: "email_created",
      author_id: person.id,
      entity_id: person.id,
      entity_type: "User",
      details: { add: "email", ...common },
    },
    { event_name: "email_destroyed", author_id: 1, entity_id: person.id, details: { remove: "email", ...common } },
  ]);
  expect(world.events(before)).toHaveLength(2);
});

describe("searches and creations see secondary addresses", () => {
  test("administrators find a user by a complete confirmed one; other callers do not", async () => {
    const person = await world.user();
    const [open, closed] = [address(), address()];
    await addTo(person.id, { email: open });
    await addTo(person.id, { email: closed, skip_confirmation: true });
    const found = async (search: string, token = rootToken) =>
      (await call("GET", "/users", token, { query: { search } })).body.map((user: Json) => user.id);
    expect(await found(closed)).toEqual([person.id]);
    expect(await found(closed.toUpperCase())).toEqual([person.id]);
    expect(await found(open)).toEqual([]);
    expect(await found(closed.slice(0, -1))).toEqual([]);
    expect(await found(closed, person.token)).toEqual([]);
  });

  test("a confirmed one is a conflict, an unconfirmed one a validation error", async () => {
    const person = await world.user();
    const [open, closed] = [address(), address()];
    await addTo(person.id, { email: open });
    await addTo(person.id, { email: closed, skip_confirmation: true });
    const create = (email: string, more: object = {}) =>
      call("POST", "/users", rootToken, {
        json: { email, username: `taker${count}`, name: "Taker", force_random_password: true, ...more },
      });
    const taken = await create(closed.toUpperCase());
    expect([taken.status, taken.body]).toEqual([409, { message: "Email has already been taken" }]);
    const refused = await create(open);
    expect([refused.status, refused.body]).toEqual([400, invalid("has already been taken")]);
    const both = await create(open, { username: person.username });
    expect([both.status, both.body]).toEqual([400, invalid("has already been taken")]);
  });
});

test("after any operations, an address belongs to one user, ids stay with their addresses, and the primary is first", async () => {
  const people = [await confirmed(), await confirmed(), await world.user()];
  const pool = [...people.map(({ email }) => email), ...Array.from({ length: 5 }, address)];
  const act = fc.record({
    kind: fc.constantFrom("add", "add confirmed", "remove", "change", "change confirmed"),
    who: fc.nat({ max: people.length - 1 }),
    which: fc.nat({ max: pool.length - 1 }),
  });
  const idOf = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      for (const { kind, who, which } of acts) {
        const { id } = people[who] as Person;
        const email = pool[which] as string;
        if (kind === "remove") {
          const entry = (await listOf(id)).find((each) => each.email === email);
          if (entry === undefined) continue;
          const { status } = await call("DELETE", `/users/${id}/emails/${entry.id}`, rootToken);
          expect(status).toBe((await world.get(`/users/${id}`)).body.email === email ? 400 : 204);
          if (status === 204) idOf.delete(email);
        } else if (kind.startsWith("add")) {
          await addTo(id, { email, skip_confirmation: kind === "add confirmed" });
        } else {
          const json = { email, skip_reconfirmation: kind === "change confirmed" };
          await call("PUT", `/users/${id}`, rootToken, { json });
        }
      }
      const all: string[] = [];
      for (const { id } of people) {
        const list = await listOf(id);
        const { email, confirmed_at } = world.store.of(users).get(id) as Json;
        if (confirmed_at !== null) expect(list[0]).toMatchObject({ email, confirmed_at });
        else all.push(email);
        for (const entry of list) {
          expect(idOf.get(entry.email) ?? entry.id).toBe(entry.id);
          idOf.set(entry.email, entry.id);
        }
        all.push(...list.map((entry) => entry.email));
      }
      expect(new Set(all).size).toBe(all.length);
      expect(new Set(idOf.values()).size).toBe(idOf.size);
    }),
    { numRuns: 60 },
  );
});

test("the addresses of a deleted user are free again", async () => {
  const person = await world.user();
  const email = address();
  await addTo(person.id, { email, skip_confirmation: true });
  const before = world.store.of(emails).size;
  await call("DELETE", `/users/${person.id}`, rootToken);
  expect(world.store.of(emails).size).toBe(before - 1);
  expect((await world.user({ email })).email).toBe(email);
});

test("a user adds 20 addresses in an hour, since each of them gets a mail; administrators add as many as they like", async () => {
  const user = await world.user();
  const add = (at: number) =>
    world.call("POST", "/user/emails", { token: user.token, json: { email: `${at}@many-addresses.example` } });
  for (let at = 0; at < 19; at += 1) expect((await add(at)).status).toBe(201);
  // An address that is taken counts: the answer tells that somebody has it.
  expect((await add(0)).status).toBe(400);
  const refused = await add(20);
  expect([refused.status, refused.body]).toEqual([
    429,
    { message: "429 Too Many Requests - one user may add 20 addresses in an hour" },
  ]);
  const json = { email: "by-root@many-addresses.example" };
  expect((await world.call("POST", `/users/${user.id}/emails`, { token: rootToken, json })).status).toBe(201);
  world.clock.advance(3_600_000);
  expect((await add(20)).status).toBe(201);
});
