import { hashPassword } from "../../../../src/domain/password.ts";
import { type Json, type Person, rootToken } from "../../../support/fixtures/world.ts";
import type { MadeSamples, Scene } from "../scene.ts";

export function ownAccountSamples({ world, ann, fresh }: Scene): MadeSamples {
  const password = "a very fine password";
  /** The token of the link in the mail that an act writes. */
  const mailed = async (path: string, json: object): Promise<string> => {
    await world.call("POST", path, { token: rootToken, json });
    const { body } = await world.get("/-/outbox", { query: { per_page: 1 } });
    return /_token=(\w+)/.exec((body as Json)[0].text)?.[1] ?? "";
  };
  const current_password = "the password so far";
  const know = async ({ id }: Person) => {
    wait();
    world.alter(id, { password_digest: await hashPassword(current_password, "short") });
  };
  // Attempts are few in a minute.
  const wait = () => world.clock.advance(60_000);
  return {
    "PUT /-/account/password": async (caller) => {
      await know(caller);
      return { path: "/-/account/password", options: { json: { current_password, password } } };
    },
    "POST /-/account/tokens": async (caller) => {
      await know(caller);
      const json = { name: "laptop", scopes: ["api"], current_password };
      return { path: "/-/account/tokens", options: { json } };
    },
    "POST /-/account/password-resets": () => {
      wait();
      return { path: "/-/account/password-resets", options: { json: { email: "nobody@people.example" } } };
    },
    "PUT /-/account/password-resets": async () => {
      wait();
      const username = fresh();
      const user = { username, name: "New", email: `${username}@people.example`, reset_password: true };
      const reset_password_token = await mailed("/users", user);
      return { path: "/-/account/password-resets", options: { json: { reset_password_token, password } } };
    },
    "POST /-/account/confirmations": async () => {
      wait();
      const confirmation_token = await mailed(`/users/${ann.id}/emails`, { email: `${fresh()}@people.example` });
      return { path: "/-/account/confirmations", options: { json: { confirmation_token } } };
    },
  };
}
