import { expect, test } from "bun:test";
import { accessTokenExpiryAnnounced } from "../../../src/modules/accounts/access-tokens/index.ts";
import { subscribe } from "../../../src/modules/kernel/event.ts";
import { defineModule } from "../../../src/modules/kernel/module.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";

const told: string[] = [];
const listener = subscribe(accessTokenExpiryAnnounced, {
  run: (_tx, _context, { token, days }) => void told.push(`${token.name} ${days}`),
});

test("a token is announced 7 days and 1 day before it expires, once each, unless it is revoked", async () => {
  const world = await startWorld({}, {}, [defineModule({ name: "listener", on: [listener] })]);
  const { id } = await world.user();
  const make = (name: string, days: number) => world.token(id, { name, expires_at: world.clock.day(days) });
  await make("long", 9);
  await make("short", 3);
  const { id: revoked } = await make("revoked", 9);
  await world.call("DELETE", `/personal_access_tokens/${revoked}`, { token: rootToken });
  const days: string[][] = [];
  for (let day = 1; day <= 9; day += 1) {
    told.length = 0;
    world.clock.advanceDays(1);
    await world.jobsDone();
    days.push([...told].sort());
  }
  expect(days).toEqual([["short 7"], ["long 7", "short 1"], [], [], [], [], [], ["long 1"], []]);
});
