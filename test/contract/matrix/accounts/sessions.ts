import { csrfTokenOf } from "../../../../src/modules/accounts/sessions/cookie.ts";
import { startSession } from "../../../../src/modules/accounts/sessions/index.ts";
import { users } from "../../../../src/modules/core/users/records.ts";
import type { Person, World } from "../../../support/fixtures/world.ts";
import type { MadeSamples, Scene } from "../scene.ts";

/** A session put straight into the store: signing in is limited, and what is tried here is not how somebody signs in. */
export function sessionOf(world: World, userId: number) {
  const user = world.store.of(users).get(userId);
  if (user === undefined) throw new Error(`no user ${userId}`);
  const from = { user, token: undefined, userAgent: "a browser", ipAddress: null };
  const { record, secret } = world.store.transact((tx) => startSession(tx, world.context, from));
  const cookie = { Cookie: `outpost_session=${secret}` };
  return { id: record.id, cookie, headers: { ...cookie, "X-CSRF-Token": csrfTokenOf(secret) } };
}

export function sessionSamples({ world, boss }: Scene): MadeSamples {
  // Operations on the browser's own session read its cookie, even beside a token.
  const withOwn = (path: string) => () => ({ path, options: { headers: sessionOf(world, boss.id).headers } });
  return {
    "POST /-/session": () => {
      world.clock.advance(60_000);
      return { path: "/-/session", options: { json: { token: boss.token } } };
    },
    "GET /-/session": withOwn("/-/session"),
    "DELETE /-/session": withOwn("/-/session"),
    "DELETE /-/sessions/:id": (caller: Person) => ({ path: `/-/sessions/${sessionOf(world, caller.id).id}` }),
  };
}
