import { afterEach, describe, expect, test } from "bun:test";
import { type CallOptions, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld({ sandbox: true, rngSeed: 7 });
const ordinary = await startWorld();
const asRoot = { token: rootToken };

afterEach(async () => {
  await world.call("DELETE", "/-/sandbox/faults", asRoot);
});

const addFault = (json: object) => world.call("POST", "/-/sandbox/faults", { ...asRoot, json });
const statusOf = async (method: string, path: string, options: CallOptions = asRoot) =>
  (await world.call(method, path, options)).status;

async function askWith(prefer: string, path = "/version", options: CallOptions = asRoot) {
  const { status, headers, text } = await world.call("GET", path, { ...options, headers: { Prefer: prefer } });
  return { status, headers, text, applied: headers.get("preference-applied") };
}

describe("Prefer", () => {
  test.each([
    [401, '{"message":"401 Unauthorized"}'],
    [404, '{"message":"404 Not Found"}'],
    [405, '{"error":"405 Not Allowed"}'],
    [429, "Retry later\n"],
    [500, '{"message":"500 Internal Server Error"}'],
    [502, '{"message":"502 Bad Gateway"}'],
    [503, '{"message":"503 Service Unavailable"}'],
    [599, '{"message":"599 Error"}'],
  ])("code=%i answers the body of the status", async (code, body) => {
    const { status, text, applied } = await askWith(`code=${code}`);
    expect([status, text, applied]).toEqual([code, body, `code=${code}`]);
  });

  test("clients that wait for a limit or an overload learn for how long", async () => {
    expect((await askWith("code=429")).headers.get("retry-after")).toBe("1");
    expect((await askWith("code=503")).headers.get("retry-after")).toBe("1");
    expect((await askWith("code=401")).headers.get("www-authenticate")).toBe('Bearer realm="Protected by OAuth 2.0"');
  });

  test("the registry answers in its own form", async () => {
    const { status, text } = await askWith("code=404", "/v2/none/manifests/1");
    expect([status, JSON.parse(text)]).toEqual([
      404,
      { errors: [expect.objectContaining({ code: expect.any(String) })] },
    ]);
  });

  test("a call with a code changes nothing", async () => {
    const headers = { Prefer: "code=500" };
    expect(await statusOf("POST", "/groups", { ...asRoot, headers, json: { name: "none", path: "none" } })).toBe(500);
    expect(await statusOf("GET", "/groups/none")).toBe(404);
  });

  test("wait comes before the answer, with fractions of a second", async () => {
    const startedAt = performance.now();
    const { status, applied } = await askWith("wait=0.05");
    expect([status, applied]).toEqual([200, "wait=0.05"]);
    expect(performance.now() - startedAt).toBeGreaterThan(49);
    expect((await askWith("code=503, wait=0.01")).applied).toBe("wait=0.01, code=503");
  });

  test.each([
    ["return=minimal", 200, null],
    ["respond-async, code=502; x=1", 502, "code=502"],
    ['Code="503"', 503, "code=503"],
    ["code=503, code=500", 503, "code=503"],
    ["", 200, null],
    ["wait=0", 200, "wait=0"],
    ['note="a, code=503"', 200, null],
    ['"', 200, null],
    ["code = 503 ; x", 503, "code=503"],
  ])("%p is read as RFC 7240 says", async (prefer, status, applied) => {
    const answer = await askWith(prefer);
    expect([answer.status, answer.applied]).toEqual([status, applied]);
  });

  test.each([
    ["code=399", "Prefer: code has to be a whole number from 400 to 599"],
    ["code=600", "Prefer: code has to be a whole number from 400 to 599"],
    ["code", "Prefer: code has to be a whole number from 400 to 599"],
    ["code=5e2", "Prefer: code has to be a whole number from 400 to 599"],
    ["wait=61", "Prefer: wait has to be a number of seconds from 0 to 60"],
    ["wait=-1", "Prefer: wait has to be a number of seconds from 0 to 60"],
    ["wait", "Prefer: wait has to be a number of seconds from 0 to 60"],
    ["code=503 please", "Prefer: code has to be a whole number from 400 to 599"],
    ["drop=0.5", "Prefer: drop takes no value"],
    ["apply-then-drop=false", "Prefer: apply-then-drop takes no value"],
    ["code=500, drop", "Prefer: code and drop exclude each other"],
  ])("%p is refused", async (prefer, message) => {
    const { status, text } = await askWith(prefer);
    expect([status, JSON.parse(text)]).toEqual([400, { message }]);
  });

  test("acts on paths and methods that no operation has", async () => {
    for (const [method, target] of [
      ["GET", "/api/v4/nothing"],
      ["POST", "/api/v4/projects/1/nothing/at/all"],
      ["GET", "/nothing"],
      ["PATCH", "/api/v4/version"],
      ["DELETE", "/api/v4/projects/1/issues/1/notes"],
    ] as const) {
      const send = async (Prefer: string) => {
        const { status, headers, body } = await world.wire({ method, target, headers: { Prefer } });
        return [target, status, headers.get("preference-applied"), body];
      };
      expect(await send("code=503")).toEqual([target, 503, "code=503", '{"message":"503 Service Unavailable"}']);
      expect((await send("code=1")).slice(0, 2)).toEqual([target, 400]);
      const [, status, applied] = await send("wait=0.01");
      expect([target, [404, 405].includes(Number(status)), applied]).toEqual([target, true, "wait=0.01"]);
    }
  });

  test("means nothing to an ordinary server", async () => {
    for (const Prefer of ["code=503", "code=1", "drop"]) {
      const { status, headers } = await ordinary.call("GET", "/version", { ...asRoot, headers: { Prefer } });
      expect([status, headers.get("preference-applied")]).toEqual([200, null]);
    }
  });
});

describe("rules", () => {
  test("are created, listed, shown and deleted", async () => {
    const { status, body } = await addFault({
      match: { method: "GET", route: "/api/v4/projects/{id}" },
      effect: { code: 502 },
      times: 2,
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        match: { method: "GET", route: "/projects/:id" },
        effect: { code: 502 },
        ...{ times: 2, probability: 1, after: 0, fitted: 0, hits: 0 },
        created_at: expect.any(String),
      },
    ]);
    expect((await world.call("GET", "/-/sandbox/faults", asRoot)).body).toEqual([body]);
    expect((await world.call("GET", `/-/sandbox/faults/${body.id}`, asRoot)).body).toEqual(body);
    expect(await statusOf("DELETE", `/-/sandbox/faults/${body.id}`)).toBe(204);
    expect(await statusOf("GET", `/-/sandbox/faults/${body.id}`)).toBe(404);
    expect(await statusOf("DELETE", `/-/sandbox/faults/${body.id}`)).toBe(404);
  });

  test.each([
    [{ effect: { code: 500 }, tims: 3 }, "tims is unknown; the nearest is times"],
    [{ effect: { waitms: 500 } }, "effect[waitms] is unknown; the nearest is effect[wait_ms]"],
    [{ match: { rout: "/version" }, effect: { code: 500 } }, "match[rout] is unknown; the nearest is match[route]"],
  ])("refuse keys that they do not know: %j", async (json, error) => {
    const { status, body } = await addFault(json);
    expect([status, body.error]).toEqual([400, error]);
  });

  test("take credentials beside their keys", async () => {
    const options = { query: { private_token: rootToken }, json: { effect: { code: 500 }, times: 1 } };
    expect(await statusOf("POST", "/-/sandbox/faults", options)).toBe(201);
  });

  test("hit from `after` on, `times` often, and say which rule it was", async () => {
    const { body } = await addFault({ match: { route: "/version" }, effect: { code: 503 }, after: 1, times: 2 });
    const reasons = [];
    for (let count = 0; count < 5; count += 1) {
      const { status, headers } = await world.call("GET", "/version", asRoot);
      reasons.push(status === 503 ? headers.get("x-outpost-reason") : status);
    }
    const reason = `the fault ${body.id} of the sandbox`;
    expect(reasons).toEqual([200, reason, reason, 200, 200]);
    const shown = await world.call("GET", `/-/sandbox/faults/${body.id}`, asRoot);
    expect(shown.body).toMatchObject({ fitted: 3, hits: 2 });
  });

  test("the first rule that fits counts", async () => {
    await addFault({ match: { path: "/api/v4/user*" }, effect: { code: 500 }, times: 1 });
    await addFault({ match: { method: "GET" }, effect: { code: 504 } });
    expect([await statusOf("GET", "/version"), await statusOf("GET", "/user"), await statusOf("GET", "/user")]).toEqual(
      [504, 500, 504],
    );
    expect(await statusOf("POST", "/groups", { ...asRoot, json: { name: "by post", path: "by-post" } })).toBe(201);
  });

  test("fit by user, also by the one in sudo", async () => {
    const kofi = await world.user({ username: "kofi" });
    await addFault({ match: { user: "kofi" }, effect: { code: 500 } });
    expect(await statusOf("GET", "/user", { token: kofi.token })).toBe(500);
    expect(await statusOf("GET", "/user")).toBe(200);
    expect(await statusOf("GET", "/user?sudo=kofi")).toBe(500);
    expect(await statusOf("GET", "/user", { token: "no-such-token-0000000" })).toBe(401);
    expect(await statusOf("GET", "/version", {})).toBe(401);
  });

  test.each([
    ["X-Worker", { "X-Worker": "3" }, 500],
    ["X-Worker: 3", { "X-Worker": "3" }, 500],
    ["X-Worker: 3", { "X-Worker": "4" }, 200],
    ["X-Worker", {}, 200],
    ["no header name", {}, 200],
  ])("fit by the header %p when %p is sent: %i", async (header, headers, status) => {
    await addFault({ match: { header }, effect: { code: 500 } });
    expect(await statusOf("GET", "/version", { ...asRoot, headers })).toBe(status);
  });

  test.each([
    ["/api/v4/version", 500],
    ["/api/*/version", 500],
    ["*version", 500],
    ["*/v4/*", 500],
    ["/version", 200],
    ["/api/v4/versio", 200],
    ["*user*", 200],
  ])("fit by the path %p: %i", async (path, status) => {
    await addFault({ match: { path }, effect: { code: 500 } });
    expect(await statusOf("GET", "/version")).toBe(status);
  });

  test("leave alone the calls that control the sandbox", async () => {
    await addFault({ effect: { code: 500 } });
    expect(await statusOf("GET", "/version")).toBe(500);
    expect(await statusOf("GET", "/-/sandbox/clock")).toBe(200);
    expect(await statusOf("DELETE", "/-/sandbox/faults")).toBe(204);
    expect(await statusOf("GET", "/version")).toBe(200);
  });

  test("hit by chance as the number of the server's randomness says", async () => {
    const { body } = await addFault({ match: { route: "/version" }, effect: { code: 500 }, probability: 0.5 });
    await world.call("PUT", "/-/sandbox/checkpoints/before", asRoot);
    const drawn = async () => {
      const statuses = [];
      for (let count = 0; count < 20; count += 1) statuses.push(await statusOf("GET", "/version"));
      return statuses;
    };
    const first = await drawn();
    expect(new Set(first)).toEqual(new Set([200, 500]));
    const after = (await world.call("GET", `/-/sandbox/faults/${body.id}`, asRoot)).body;
    expect([after.fitted, after.hits]).toEqual([20, first.filter((status) => status === 500).length]);
    await world.call("POST", "/-/sandbox/checkpoints/before/restore", asRoot);
    expect((await world.call("GET", `/-/sandbox/faults/${body.id}`, asRoot)).body).toMatchObject({
      fitted: 0,
      hits: 0,
    });
    expect(await drawn()).toEqual(first);
  });

  test.each([
    [
      { effect: {} },
      "effect needs one of code, wait_ms, jitter_ms, drop, apply_then_drop, truncate_after and bytes_per_second",
    ],
    [
      { effect: { drop: false } },
      "effect needs one of code, wait_ms, jitter_ms, drop, apply_then_drop, truncate_after and bytes_per_second",
    ],
    [{ effect: { code: 500, drop: true } }, "effect: code and drop exclude each other"],
    [{ effect: { drop: true, truncate_after: 3 } }, "effect: drop and truncate_after exclude each other"],
    [{ effect: { drop: true }, match: { route: "/nowhere" } }, "match[route]: no operation has the path /nowhere"],
    [{}, `400 (Bad request) "effect" not given`],
    [{ effect: { code: 200 } }, "effect[code] does not have a valid value"],
    [{ effect: { wait_ms: 60_001 } }, "effect[wait_ms] does not have a valid value"],
    [{ effect: { drop: true }, probability: 1.5 }, "probability does not have a valid value"],
    [{ effect: { drop: true }, match: { method: "BREW" } }, "match[method] does not have a valid value"],
  ])("%j is refused", async (json, text) => {
    const { status, body } = await addFault(json);
    expect([status, body.message ?? body.error]).toEqual([400, expect.stringContaining(text)]);
  });

  test("are at most a hundred", async () => {
    for (let count = 0; count < 100; count += 1)
      expect((await addFault({ effect: { wait_ms: 0, code: 500 } })).status).toBe(201);
    expect((await addFault({ effect: { code: 500 } })).body).toEqual({ message: "a sandbox has at most 100 rules" });
  });
});

test("a restore does not wait for a call that only waits", async () => {
  await world.call("PUT", "/-/sandbox/checkpoints/quick", asRoot);
  let isAnswered = false;
  const waiting = askWith("wait=0.5").then((answer) => {
    isAnswered = true;
    return answer;
  });
  expect(await statusOf("POST", "/-/sandbox/checkpoints/quick/restore")).toBe(204);
  expect(isAnswered).toBe(false);
  expect((await waiting).status).toBe(200);
});
