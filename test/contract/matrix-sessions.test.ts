import { expect, test } from "bun:test";
import type { Operation } from "../../src/modules/kernel/operation.ts";
import { operations } from "../support/checks/operations.ts";
import type { Json, Person } from "../support/fixtures/world.ts";
import { sessionOf } from "./matrix/accounts/sessions.ts";
import { allSamples, nameOf, sampleOf } from "./matrix/samples.ts";
import { setScene } from "./matrix/scene.ts";

/**
 * The permission matrix with browser sessions. A session changes only how the server finds the caller, so an
 * administrator, a plain user and a forged request call each operation; the rules behind that do not know the
 * credential, and the matrix of tokens tests them with every role.
 */
const scene = await setScene();
const { world, ann, boss, places } = scene;
const samples = allSamples(scene);
const sessionOfAnn = sessionOf(world, ann.id);
const sessionOfBoss = sessionOf(world, boss.id);

async function send(operation: Operation, caller: Person, headers: Readonly<Record<string, string>>) {
  const { path, options } = await sampleOf(samples, operation).make(caller, places.public);
  return world.call(operation.method, path, { ...options, headers: { ...options?.headers, ...headers } });
}

/** Some operations answer by a redirect. */
const isSuccess = (status: number) => status >= 200 && status < 400;
/** A session that was made of a password has no token to show. */
const isAboutToken = ({ path }: Operation) => path.startsWith("/personal_access_tokens/self");
/** It would end the sessions that the other operations are called with. */
const endsSessions = ({ path }: Operation) => path === "/-/account/password";
const forged = "403 Forbidden - Invalid CSRF token";
const messageOf = ({ errorFormat }: Operation, body: Json) =>
  errorFormat === undefined ? body.message : body.errors[0].message;

for (const operation of operations) {
  const name = nameOf(operation);
  const { who, method, path, http } = operation;
  if (http?.isReceiver === true || http?.readsSessionItself === true || endsSessions(operation)) continue;
  const isForAdministrators = who === "administrator" || who === "administrator_first";

  test(`${name} with a session`, async () => {
    const { status, body } = await send(operation, boss, sessionOfBoss.headers);
    // For `GET /job` the token of no job is the absence of a job.
    if (who === "job") expect(status).toBe(path === "/job" ? 404 : 401);
    else if (isAboutToken(operation)) expect(status).toBe(400);
    else expect({ isLetIn: isSuccess(status), body }).toMatchObject({ isLetIn: true });
    if (isForAdministrators) {
      const refused = await send(operation, ann, sessionOfAnn.headers);
      expect([refused.status, refused.body.message]).toEqual([403, operation.http?.forbiddenText ?? "403 Forbidden"]);
    }
    if (method === "GET") return;
    for (const headers of [
      sessionOfBoss.cookie,
      { ...sessionOfBoss.headers, "X-CSRF-Token": "0".repeat(64) },
      { ...sessionOfBoss.headers, Origin: "http://other.example" },
    ]) {
      const answer = await send(operation, boss, headers);
      expect([answer.status, messageOf(operation, answer.body)]).toEqual([403, forged]);
    }
  });
}

test("a forged request changes nothing", async () => {
  const before = await world.get(`/users/${ann.id}`);
  const { status } = await world.call("PUT", `/users/${ann.id}`, {
    json: { name: "Forged" },
    headers: sessionOfBoss.cookie,
  });
  expect(status).toBe(403);
  expect((await world.get(`/users/${ann.id}`)).body).toEqual(before.body);
});

test("a token in a header or a parameter overrides the cookie, and needs no CSRF token", async () => {
  const byHeader = await world.call("GET", "/user", { token: ann.token, headers: sessionOfBoss.cookie });
  const byParameter = await world.call("GET", "/user", {
    query: { private_token: ann.token },
    headers: sessionOfBoss.cookie,
  });
  expect([byHeader.body.id, byParameter.body.id]).toEqual([ann.id, ann.id]);
  const wrong = await world.call("GET", "/user", { token: "opx-0000000000", headers: sessionOfBoss.cookie });
  expect(wrong.status).toBe(401);
  const change = await world.call("PUT", "/user/status", {
    ...{ token: ann.token, json: { message: "here" } },
    headers: { ...sessionOfBoss.cookie, Origin: "http://other.example" },
  });
  expect(change.status).toBe(200);
});

test("HEAD and OPTIONS need no CSRF token, and a page of this server may send its origin", async () => {
  expect((await world.call("HEAD", "/user", { headers: sessionOfBoss.cookie })).status).toBe(200);
  expect((await world.call("OPTIONS", "/user", { headers: sessionOfBoss.cookie })).status).toBe(204);
  const { status } = await world.call("PUT", "/user/status", {
    json: { message: "here" },
    headers: { ...sessionOfAnn.headers, Origin: world.origin },
  });
  expect(status).toBe(200);
});

test("a session is no token: it does not allow sudo", async () => {
  const { status, body } = await world.call("GET", "/user", { headers: { ...sessionOfBoss.cookie, Sudo: "ann" } });
  expect([status, body.message]).toEqual([
    403,
    "403 Forbidden - Must be authenticated using an OAuth or Personal Access Token to use sudo",
  ]);
});

test("an unknown cookie is ignored", async () => {
  const headers = { Cookie: "outpost_session=unknown" };
  expect((await world.call("GET", "/-/health", { headers })).status).toBe(200);
  expect((await world.call("GET", "/user", { headers })).body).toEqual({ message: "401 Unauthorized" });
  expect((await world.call("PUT", "/user/status", { headers, json: {} })).status).toBe(401);
});

test("a session allows a large body", async () => {
  const json = { name: "large", path: "large", description: "x".repeat(1_500_000) };
  const known = await world.call("POST", "/groups", { json, headers: sessionOfAnn.headers });
  const strange = await world.call("POST", "/groups", { json, headers: { Cookie: "outpost_session=unknown" } });
  expect([known.status, strange.status]).toEqual([400, 401]);
});
