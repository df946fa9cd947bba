import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../src/domain/access-level.ts";
import { type Scope, scopes } from "../../src/domain/scopes.ts";
import { visibilities } from "../../src/domain/visibility.ts";
import { isAnonymousWelcome, type Operation } from "../../src/modules/kernel/operation.ts";
import { operations } from "../support/checks/operations.ts";
import { alterJob, putRunningJob } from "../support/ci/running-job.ts";
import { type Json, type Person, rootToken } from "../support/fixtures/world.ts";
import { allSamples, nameOf, sampleOf } from "./matrix/samples.ts";
import { type Place, setScene, type Tester } from "./matrix/scene.ts";

const scene = await setScene();
const { world, ann, boss, blocked, places, testers } = scene;

const samples = allSamples(scene);

function acceptedScopes({ method, scopes: named }: Operation): readonly Scope[] {
  if (named === "any") return scopes;
  return [...(method === "GET" ? (["api", "read_api"] as const) : (["api"] as const)), ...(named ?? [])];
}

async function send(operation: Operation, caller: Person, token: string | undefined, place: Place = places.public) {
  const { path, options } = await sampleOf(samples, operation).make(caller, place);
  return world.call(operation.method, path, { ...options, token });
}

/** With the token of a running job of an administrator's, in the public place's project. */
async function sendAsJob(operation: Operation) {
  const { path, options } = await sampleOf(samples, operation).make(boss, places.public);
  const { token, job } = putRunningJob(world, places.public.projectId, boss.id);
  const answer = await world.call(operation.method, path, {
    ...options,
    headers: { ...options?.headers, "JOB-TOKEN": token },
  });
  alterJob(world, job, { status: "success" });
  return answer;
}

const freshToken = async (userId: number, held: readonly Scope[]): Promise<string> =>
  (await world.token(userId, { name: "fresh", scopes: held })).token;

const keptTokens = new Map<Scope, string>();

/** A token of the administrator's with one scope: a new one where the operation may end it. */
async function tokenWith(scope: Scope, { path }: Operation): Promise<string> {
  if (/token|self|session/.test(path)) return freshToken(boss.id, [scope]);
  const token = keptTokens.get(scope) ?? (await freshToken(boss.id, [scope]));
  keptTokens.set(scope, token);
  return token;
}

/** The word in `error`, or what image clients are told in its place. */
function errorOf({ errorFormat }: Operation, body: Json): string | undefined {
  if (errorFormat === undefined) return body?.error;
  const [{ message }] = body.errors;
  return message === "401 Unauthorized" ? undefined : message;
}

/** The same, or the plain text that git shows. */
function scopeErrorOf(operation: Operation, text: string, body: Json): string | undefined {
  return operation.http?.insufficientScopeText === undefined ? errorOf(operation, body) : text.trim();
}

/** Some operations answer by a redirect. */
const isSuccess = (status: number) => status >= 200 && status < 400;

/** Members see everything in a place; public ones everybody, internal ones whoever signed in and is not external. */
function sees({ level, isExternal }: Tester, { visibility }: Place): boolean {
  return level > 0 || visibility === "public" || (visibility === "internal" && !isExternal);
}

for (const operation of operations) {
  const name = nameOf(operation);
  const isForAdministrators = operation.who === "administrator" || operation.who === "administrator_first";

  if (operation.http?.isReceiver === true) {
    test(`${name} takes a key of its own, and ignores tokens`, async () => {
      for (const token of [undefined, ann.token, blocked.token, "opx-00000000000000000000"]) {
        expect((await send(operation, boss, token)).status).toSatisfy(isSuccess);
      }
    });
    continue;
  }

  if (operation.who === "job") {
    test(`${name} is for running jobs only`, async () => {
      for (const token of [undefined, ann.token, boss.token]) {
        expect((await send(operation, boss, token)).status).toBe(token === undefined ? 401 : 404);
      }
      expect((await sendAsJob(operation)).status).toSatisfy(isSuccess);
    });
    continue;
  }

  describe(name, () => {
    test(`an administrator is allowed`, async () => {
      expect((await send(operation, boss, await freshToken(boss.id, ["api"]))).status).toSatisfy(isSuccess);
    });

    const isOpen = isAnonymousWelcome(operation.who);
    const takesRole = typeof operation.who === "object" && operation.who.level > accessLevels.none;
    const refusal = !isOpen ? 401 : takesRole ? 403 : undefined;
    test(`anonymous is ${refusal === undefined ? "let in" : `sent away with ${refusal}`}`, async () => {
      const { status } = await send(operation, ann, undefined);
      if (refusal === undefined) expect(status).toSatisfy(isSuccess);
      else expect(status).toBe(refusal);
    });

    if (typeof operation.who === "object") {
      const { level, in: kind, asksForLogin } = operation.who;
      const noun = kind === "group" ? "404 Group Not Found" : "404 Project Not Found";
      for (const visibility of visibilities) {
        const place = places[visibility];
        test(`each role in a ${visibility} ${kind} is allowed or refused`, async () => {
          for (const tester of testers) {
            const answer = await send(operation, tester.person, tester.person.token, place);
            const who = tester.name;
            if (!sees(tester, place)) {
              expect({ who, status: answer.status, body: answer.body }).toEqual({
                who,
                status: 404,
                body: { message: noun },
              });
              continue;
            }
            const special = sampleOf(samples, operation).expected(tester, place);
            const isRefused = special === undefined ? tester.level < level : special >= 400;
            if (isRefused) expect({ who, status: answer.status }).toEqual({ who, status: special ?? 403 });
            else
              expect({ who, text: answer.text.slice(0, 300), isLetIn: isSuccess(answer.status) }).toMatchObject({
                who,
                isLetIn: true,
              });
          }
          if (!isOpen || visibility === "public") return;
          const { status, body } = await send(operation, ann, undefined, place);
          const hidden = asksForLogin ? [401, "401 Unauthorized"] : [404, noun];
          expect([status, body.message]).toEqual(hidden);
        });
      }
    } else
      test(`a plain user is ${isForAdministrators ? "sent away with 403" : "let in"}`, async () => {
        const { status, body } = await send(operation, ann, await freshToken(ann.id, ["api"]));
        const message = operation.http?.forbiddenText ?? "403 Forbidden";
        if (isForAdministrators) expect({ status, body }).toEqual({ status: 403, body: { message } });
        else expect(status).toSatisfy(isSuccess);
      });

    test("each scope allows it or not as declared", async () => {
      const accepted = acceptedScopes(operation);
      for (const scope of scopes) {
        const { status, body, text } = await send(operation, boss, await tokenWith(scope, operation));
        if (accepted.includes(scope)) expect({ scope, isLetIn: isSuccess(status) }).toEqual({ scope, isLetIn: true });
        else
          expect({ scope, status, error: scopeErrorOf(operation, text, body) }).toEqual({
            scope,
            status: 403,
            error: operation.http?.insufficientScopeText ?? "insufficient_scope",
          });
      }
    });

    if (operation.takesJobToken === undefined) {
      test("a job's token is ignored", async () => {
        const { status } = await sendAsJob(operation);
        if (refusal === undefined) expect(status).toSatisfy(isSuccess);
        else expect(status).toBe(refusal);
      });
    } else if (operation.takesJobToken !== "itself") {
      test("a job's token works in its own project", async () => {
        expect((await sendAsJob(operation)).status).toSatisfy(isSuccess);
      });
    }

    test("a blocked user is refused", async () => {
      const { status, body } = await send(operation, blocked, blocked.token);
      const message = operation.errorFormat === undefined ? body.message : body.errors[0].message;
      expect([status, message]).toEqual([403, "403 Forbidden - Your account has been blocked."]);
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
        expect({ status, error: errorOf(operation, body) }).toEqual({ status: 401, error });
      }
    });
  });
}
