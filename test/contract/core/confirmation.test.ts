import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { withoutBudget, withoutLimit } from "../../../src/domain/work-budget.ts";
import type { Context } from "../../../src/modules/kernel/context.ts";
import type { ModuleManifest } from "../../../src/modules/kernel/module.ts";
import { noContent, operation } from "../../../src/modules/kernel/operation.ts";
import { collection, field, record } from "../../../src/store/index.ts";
import { type Person, rootToken, startWorld } from "../../support/fixtures/world.ts";

const stamps = collection("stamps", record({ id: field.whole }));
const place = { kind: "project", id: 1, storage: "default" } as const;

const stamp = ({ store }: Context) => void store.transact((tx) => tx.insert(stamps, { id: tx.nextId("stamps") }));
/** The end of a request, by its name. */
const ends: Readonly<Record<string, (context: Context) => unknown>> = {
  change: stamp,
  "change without a limit": (context) => withoutLimit(() => stamp(context)),
  "change of a repository": (context) =>
    context.repositories.write(
      place,
      () => place,
      async () => withoutBudget(() => stamp(context)),
    ),
  "change that is not the request's own": (context) => withoutBudget(() => stamp(context)),
};

/** A request that has begun waits until a test lets it go on. */
let reached = Promise.withResolvers<void>();
let held = Promise.withResolvers<void>();

const stamping: ModuleManifest = {
  name: "stamping",
  tag: "Stamping",
  areas: ["stamps"],
  collections: [stamps],
  operations: async () => [
    operation({
      ...({ method: "POST", path: "/stamps", summary: "Stamp", who: "anyone", answer: noContent() } as const),
      params: Type.Object({ end: Type.String() }),
      async handle({ context, params }) {
        reached.resolve();
        await held.promise;
        await ends[params.end]?.(context);
      },
    }),
  ],
};

const world = await startWorld({}, {}, [stamping]);

/** Sends a request, does something while it waits, and returns the status and the number of stamps that it made. */
async function during(end: string, act: (person: Person) => Promise<unknown>, isAnonymous = false) {
  [reached, held] = [Promise.withResolvers(), Promise.withResolvers()];
  const person = await world.user();
  const before = world.store.of(stamps).size;
  const token = isAnonymous ? undefined : person.token;
  const answer = world.call("POST", "/stamps", { token, json: { end } });
  await reached.promise;
  await act(person);
  held.resolve();
  const { status } = await answer;
  return [status, world.store.of(stamps).size - before];
}

const revoke = ({ token }: Person) => world.call("DELETE", "/personal_access_tokens/self", { token });
const nothing = async () => undefined;

test.each(Object.keys(ends))("a %s is made by a request whose token is good", async (end) => {
  expect(await during(end, nothing)).toEqual([204, 1]);
});

test.each(["change", "change without a limit", "change of a repository"])(
  "a %s is refused to a request whose token was revoked while it waited",
  async (end) => {
    expect(await during(end, revoke)).toEqual([401, 0]);
  },
);

test("a change that is not the request's own is made all the same", async () => {
  expect(await during("change that is not the request's own", revoke)).toEqual([204, 1]);
});

test("a change is refused to a request whose user was blocked while it waited", async () => {
  expect(await during("change", ({ id }) => world.call("POST", `/users/${id}/block`, { token: rootToken }))).toEqual([
    403, 0,
  ]);
});

test("an anonymous request has nothing to confirm", async () => {
  expect(await during("change", revoke, true)).toEqual([204, 1]);
});
