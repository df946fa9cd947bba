import { describe, expect, test } from "bun:test";
import { type Scope, scopes } from "../../src/domain/scopes.ts";
import { operations } from "../../src/modules/index.ts";
import type { Operation } from "../../src/modules/operation.ts";
import { type Person, rootToken } from "../support/world.ts";
import { accessTokenSamples } from "./matrix/personal-access-tokens.ts";
import { type MakeSample, type Samples, setScene } from "./matrix/scene.ts";
import { serviceSamples } from "./matrix/service.ts";
import { userSamples } from "./matrix/users.ts";

const scene = await setScene();
const { world, ann, boss, blocked } = scene;

/** Every operation there is; one that is missing here fails the first test. */
const samples: Samples = { ...serviceSamples(scene), ...userSamples(scene), ...accessTokenSamples(scene) };

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

function acceptedScopes({ method, scopes: named }: Operation): readonly Scope[] {
  if (named === "any") return scopes;
  return [...(method === "GET" ? (["api", "read_api"] as const) : (["api"] as const)), ...(named ?? [])];
}

async function send(operation: Operation, caller: Person, token: string | undefined) {
  const makeSample = samples[nameOf(operation)] as MakeSample;
  const { path, options } = await makeSample(caller);
  return world.call(operation.method, path, { ...options, token });
}

const freshToken = async (userId: number, held: readonly Scope[]): Promise<string> =>
  (await world.token(userId, { name: "fresh", scopes: held })).token;

const isSuccess = (status: number) => status >= 200 && status < 300;

test("every operation is described here, and nothing else is", () => {
  expect(Object.keys(samples).sort()).toEqual(operations.map(nameOf).sort());
});

for (const operation of operations) {
  const name = nameOf(operation);
  if (!(name in samples)) continue;
  const isForAdministrators = operation.who === "administrator" || operation.who === "administrator_first";

  describe(name, () => {
    test(`an administrator is let in`, async () => {
      expect((await send(operation, boss, await freshToken(boss.id, ["api"]))).status).toSatisfy(isSuccess);
    });

    test(`anonymous is ${operation.who === "anyone" ? "let in" : "sent away with 401"}`, async () => {
      const { status } = await send(operation, ann, undefined);
      if (operation.who === "anyone") expect(status).toSatisfy(isSuccess);
      else expect(status).toBe(401);
    });

    test(`a plain user is ${isForAdministrators ? "sent away with 403" : "let in"}`, async () => {
      const { status, body } = await send(operation, ann, await freshToken(ann.id, ["api"]));
      if (isForAdministrators) expect({ status, body }).toEqual({ status: 403, body: { message: "403 Forbidden" } });
      else expect(status).toSatisfy(isSuccess);
    });

    test("each scope opens it or not as it is declared", async () => {
      const accepted = acceptedScopes(operation);
      for (const scope of scopes) {
        const { status, body } = await send(operation, boss, await freshToken(boss.id, [scope]));
        if (accepted.includes(scope)) expect({ scope, isLetIn: isSuccess(status) }).toEqual({ scope, isLetIn: true });
        else expect({ scope, status, error: body?.error }).toEqual({ scope, status: 403, error: "insufficient_scope" });
      }
    });

    test("a blocked user is refused", async () => {
      const { status, body } = await send(operation, blocked, blocked.token);
      expect({ status, body }).toEqual({
        status: 403,
        body: { message: "403 Forbidden - Your account has been blocked." },
      });
    });

    test("a revoked, an expired and an unknown token are refused", async () => {
      const revoked = await world.token(boss.id, { name: "revoked", scopes: ["api"] });
      await world.call("DELETE", `/personal_access_tokens/${revoked.id}`, { token: rootToken });
      const expired = await world.token(boss.id, { name: "expired", scopes: ["api"], expires_at: "2001-01-01" });
      for (const [token, error] of [
        [revoked.token, "invalid_token"],
        [expired.token, "invalid_token"],
        ["opx-00000000000000000000", undefined],
      ]) {
        const { status, body } = await send(operation, boss, token);
        expect({ status, error: body.error }).toEqual({ status: 401, error });
      }
    });
  });
}
