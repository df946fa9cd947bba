import { describe, expect, test } from "bun:test";
import { type Scope, scopes } from "../../src/domain/scopes.ts";
import { operations } from "../../src/modules/index.ts";
import type { Operation } from "../../src/modules/operation.ts";
import { type CallOptions, type Person, rootToken, startWorld } from "../support/world.ts";

/** One call of an operation that its rightful caller would make, ready to be sent by anybody. */
interface Sample {
  readonly path: string;
  readonly options?: CallOptions;
}

/** How an operation is called here: made anew for each call, so that destructive operations always find something. */
interface Description {
  sample(caller: Person): Sample | Promise<Sample>;
}

const world = await startWorld();
const ann = await world.user({ username: "ann" });
const boss = await world.user({ username: "boss", admin: true });
const blocked = await world.user({ username: "blocked" });
world.alter(blocked.id, { state: "blocked" });
let newcomers = 0;

const at = (path: string, options: CallOptions = {}): Description => ({ sample: () => ({ path, options }) });
const tokenOf = (userId: number) => world.token(userId, { name: "sample", scopes: ["read_api"] });

/** Every operation there is; one that is missing here fails the first test. */
const descriptions: Readonly<Record<string, Description>> = {
  "GET /version": at("/version"),
  "GET /metadata": at("/metadata"),
  "GET /-/health": at("/-/health"),
  "GET /-/readiness": at("/-/readiness"),
  "GET /-/liveness": at("/-/liveness"),
  "GET /-/metrics": at("/-/metrics"),
  "GET /-/openapi.json": at("/-/openapi.json"),
  "GET /-/api": at("/-/api"),
  "GET /-/api/:file": {
    async sample() {
      const { text } = await world.call("GET", "/-/api");
      return { path: text.match(/\/-\/api\/page-\w+\.js/)?.[0] ?? "" };
    },
  },
  "GET /-/avatars/:picture": at("/-/avatars/1.svg"),
  "GET /application/settings": at("/application/settings"),
  "PUT /application/settings": at("/application/settings", { json: { signup_enabled: true } }),
  "GET /users": at("/users", { query: { username: "ann" } }),
  "GET /users/:id": at(`/users/${ann.id}`),
  "GET /user": at("/user"),
  "POST /users": {
    sample() {
      newcomers += 1;
      const username = `newcomer${newcomers}`;
      const json = { username, name: username, email: `${username}@people.example`, force_random_password: true };
      return { path: "/users", options: { json } };
    },
  },
  "GET /personal_access_tokens": at("/personal_access_tokens"),
  "GET /personal_access_tokens/:id": {
    sample: async (caller) => ({ path: `/personal_access_tokens/${(await tokenOf(caller.id)).id}` }),
  },
  "GET /personal_access_tokens/self": at("/personal_access_tokens/self"),
  "POST /users/:user_id/personal_access_tokens": at(`/users/${ann.id}/personal_access_tokens`, {
    json: { name: "made", scopes: ["api"] },
  }),
  "POST /user/personal_access_tokens": at("/user/personal_access_tokens", {
    json: { name: "own", scopes: ["k8s_proxy"] },
  }),
  "DELETE /personal_access_tokens/:id": {
    sample: async (caller) => ({ path: `/personal_access_tokens/${(await tokenOf(caller.id)).id}` }),
  },
  "DELETE /personal_access_tokens/self": at("/personal_access_tokens/self"),
  "POST /personal_access_tokens/:id/rotate": {
    sample: async (caller) => ({ path: `/personal_access_tokens/${(await tokenOf(caller.id)).id}/rotate` }),
  },
  "POST /personal_access_tokens/self/rotate": at("/personal_access_tokens/self/rotate"),
};

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

function acceptedScopes({ method, scopes: named }: Operation): readonly Scope[] {
  if (named === "any") return scopes;
  return [...(method === "GET" ? (["api", "read_api"] as const) : (["api"] as const)), ...(named ?? [])];
}

async function send(operation: Operation, caller: Person, token: string | undefined) {
  const description = descriptions[nameOf(operation)] as Description;
  const { path, options } = await description.sample(caller);
  return world.call(operation.method, path, { ...options, token });
}

const freshToken = async (userId: number, held: readonly Scope[]): Promise<string> =>
  (await world.token(userId, { name: "fresh", scopes: held })).token;

const isSuccess = (status: number) => status >= 200 && status < 300;

test("every operation is described here, and nothing else is", () => {
  expect(Object.keys(descriptions).sort()).toEqual(operations.map(nameOf).sort());
});

for (const operation of operations) {
  const name = nameOf(operation);
  const description = descriptions[name];
  if (description === undefined) continue;
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
