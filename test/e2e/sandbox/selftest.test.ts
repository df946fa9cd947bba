import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Summary } from "../../../src/cli/selftest/report.ts";
import { executable, type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";

const token = "root-token-of-the-selftest";
const env = { OUTPOST_ROOT_TOKEN: token };

/** Serves most tests; each run leaves it as it was. */
let server: OutpostProcess;

beforeAll(async () => {
  server = await startOutpost({ env, args: ["--log-level", "warn"] });
});

afterAll(() => server[Symbol.asyncDispose]());

function selftest(origin: string, ...args: string[]) {
  return runOutpost(["selftest", "--url", origin, "--token", token, ...args]);
}

async function summaryOf(origin: string, ...args: string[]): Promise<Summary> {
  const { stdout, stderr } = await selftest(origin, "--json", ...args);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

async function list(origin: string, path: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${origin}/api/v4${path}`, { headers: { "PRIVATE-TOKEN": token } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>[];
}

/** What a run would leave: on a fresh server there are only root and the group of its own namespace. */
async function contentOf(origin: string) {
  const [users, groups, projects, features] = await Promise.all([
    list(origin, "/users?per_page=100"),
    list(origin, "/groups?all_available=true"),
    list(origin, "/projects"),
    list(origin, "/features"),
  ]);
  const tokens = await list(origin, "/personal_access_tokens?state=active&user_id=1");
  return {
    users: users.map(({ username }) => username),
    groups: groups.map(({ path }) => path),
    projects: projects.map(({ path }) => path),
    flags: features.filter(({ name }) => String(name).includes("selftest")),
    tokens: tokens.length,
  };
}

const empty = { users: ["root"], groups: [], projects: [], flags: [], tokens: 1 };

describe.each(["community", "premium", "ultimate"])("in the edition %s", (edition) => {
  test("all calls are answered as the contract says, and nothing is left", async () => {
    await using outpost = await startOutpost({ env, args: ["--sandbox", "--edition", edition, "--log-level", "warn"] });
    const { areas, left, ...counts } = await summaryOf(outpost.origin);
    expect(areas.flatMap(({ failures }) => failures)).toEqual([]);
    expect(left).toEqual([]);
    expect(counts).toMatchObject({ failed: 0, interrupted: false });
    expect(counts.passed).toBeGreaterThan(1500);
    const reasons = new Set(areas.flatMap(({ skipped }) => Object.keys(skipped)));
    expect([...reasons]).toEqual(edition === "community" ? ["tier: premium"] : []);
    expect(await contentOf(outpost.origin)).toEqual(empty);
  });
});

test("the token of another user: what needs an administrator is skipped, nothing fails", async () => {
  const made = await fetch(`${server.origin}/api/v4/users`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    body: JSON.stringify({ username: "ann", name: "Ann", email: "ann@skylark.example", force_random_password: true }),
  });
  const { id } = (await made.json()) as { readonly id: number };
  const { token: own } = (await (
    await fetch(`${server.origin}/api/v4/users/${id}/personal_access_tokens`, {
      method: "POST",
      headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "own", scopes: ["api"] }),
    })
  ).json()) as { readonly token: string };
  const { areas, failed, passed, skipped, left } = await summaryOf(server.origin, "--token", own);
  expect(areas.flatMap(({ failures }) => failures)).toEqual([]);
  expect({ failed, left }).toEqual({ failed: 0, left: [] });
  expect(passed).toBeGreaterThan(600);
  expect(skipped).toBeGreaterThan(600);
  const reasons = new Set(areas.flatMap((area) => Object.keys(area.skipped)));
  expect([...reasons]).toEqual(["right: the token is not an administrator's", "only a sandbox has this call"]);
  await fetch(`${server.origin}/api/v4/users/${id}?hard_delete=true`, {
    method: "DELETE",
    headers: { "PRIVATE-TOKEN": token },
  });
});

test("--area runs some areas only, and prints a line for each", async () => {
  const { exitCode, stdout } = await selftest(server.origin, "--area", "labels", "--area", "epics");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^setup +\d+ passed\nlabels +\d+ passed\nepics +\d+ passed\n\d+ passed, 0 failed, 0 skipped in [\d.]+ s\n$/,
  );
});

test("--keep leaves the group and the users, which do not disturb the next run", async () => {
  await using outpost = await startOutpost({ env, args: ["--log-level", "warn"] });
  const kept = await selftest(outpost.origin, "--area", "labels", "--keep");
  expect(kept.exitCode).toBe(0);
  const [, group] = /^the group (outpost-selftest-[0-9a-f]{8}) and its users stay$/m.exec(kept.stderr) ?? [];
  const before = await contentOf(outpost.origin);
  expect(before.groups).toEqual([group ?? ""]);
  expect(before.users).toHaveLength(5);
  expect((await selftest(outpost.origin, "--area", "labels")).exitCode).toBe(0);
  expect(await contentOf(outpost.origin)).toEqual(before);
});

describe("wrong use", () => {
  test("an unknown area names the nearest", async () => {
    const { exitCode, stderr } = await selftest(server.origin, "--area", "lables");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: "outpost: lables is not an area; the nearest is labels\ntry: outpost help selftest\n",
    });
  });

  test("no token", async () => {
    const { exitCode, stderr } = await runOutpost(["selftest", "--url", server.origin, "--data", "/nonexistent"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("no token is known for this server");
  });

  test("a token that the server refuses", async () => {
    const { exitCode, stderr } = await selftest(server.origin, "--token", "opx-00000000000000000000");
    expect(exitCode).toBe(4);
    expect(stderr).toContain("401 Unauthorized");
  });

  test("no answer", async () => {
    const { exitCode, stderr } = await selftest("http://127.0.0.1:1");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("no answer from http://127.0.0.1:1");
  });
});

/** A proxy that changes answers of a server. */
function tamperedBy(
  change: (request: Request, answer: Response) => Response | Promise<Response>,
  { origin }: Pick<OutpostProcess, "origin"> = server,
) {
  return Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = request.body === null ? {} : { body: await request.arrayBuffer() };
      const { method, headers } = request;
      headers.set("accept-encoding", "identity");
      const answer = await fetch(`${origin}${pathname}${search}`, {
        method,
        headers,
        ...body,
        redirect: "manual",
      });
      return change(request, answer);
    },
  });
}

const isLabel = ({ method, url }: Request, wanted: string) => method === wanted && /\/labels\/\d+$/.test(url);
const isList = ({ method, url }: Request) => method === "GET" && /\/projects\/\d+\/labels$/.test(url);
const isCreation = ({ method, url }: Request) => method === "POST" && /\/projects\/\d+\/labels$/.test(url);

async function withBody(answer: Response, change: (body: Record<string, unknown>) => object): Promise<Response> {
  const body = (await answer.json()) as Record<string, unknown>;
  return Response.json(change(body), { status: answer.status, headers: answer.headers });
}

function without(answer: Response, header: string): Response {
  const headers = new Headers(answer.headers);
  headers.delete(header);
  return new Response(answer.body, { status: answer.status, headers });
}

describe("a server with a fault", () => {
  const deleted = new Set<string>();
  const faults: readonly [string, string, Parameters<typeof tamperedBy>[0]][] = [
    [
      "another status",
      "status 201",
      (request, answer) =>
        isCreation(request) && answer.status === 201 ? new Response(answer.body, { headers: answer.headers }) : answer,
    ],
    [
      "a field of another type",
      "Expected integer at /id",
      (request, answer) =>
        isLabel(request, "GET") && answer.ok ? withBody(answer, (body) => ({ ...body, id: String(body.id) })) : answer,
    ],
    [
      "a missing field",
      "at /color",
      (request, answer) =>
        isLabel(request, "GET") && answer.ok ? withBody(answer, ({ color: _, ...body }) => body) : answer,
    ],
    [
      "another value",
      'color in the body: "#abcdef"',
      (request, answer) =>
        isLabel(request, "PUT") && answer.ok ? withBody(answer, (body) => ({ ...body, color: "#000000" })) : answer,
    ],
    [
      "a missing header",
      "the header X-Next-Page",
      (request, answer) => (isList(request) ? without(answer, "X-Next-Page") : answer),
    ],
    [
      "a lost Link",
      'the header Link with rel="first"',
      (request, answer) => (isList(request) ? without(answer, "Link") : answer),
    ],
    [
      "a list without what was made",
      'a list with {"id":',
      ({ method, url }, answer) =>
        method === "GET" && /\/labels\?per_page=100$/.test(url)
          ? Response.json([], { headers: answer.headers })
          : answer,
    ],
    [
      "a deleted thing that is still found",
      "status 404",
      (request, answer) => {
        if (isLabel(request, "DELETE") && answer.ok) deleted.add(request.url);
        return isLabel(request, "GET") && deleted.has(request.url) ? Response.json({}) : answer;
      },
    ],
    [
      "no refusal of an incomplete call",
      "status 400",
      (request, answer) => (isCreation(request) && answer.status === 400 ? Response.json({}, { status: 201 }) : answer),
    ],
    [
      "no refusal of anonymous callers",
      "status 401",
      (request, answer) =>
        isCreation(request) && answer.status === 401 ? Response.json({ id: 1, name: "bug" }, { status: 201 }) : answer,
    ],
    [
      "no refusal of guests",
      "status 403",
      (request, answer) => (isCreation(request) && answer.status === 403 ? Response.json({}, { status: 201 }) : answer),
    ],
    [
      "a refusal that says nothing",
      "a body with message or error",
      (request, answer) => (isCreation(request) && answer.status === 403 ? Response.json({}, { status: 403 }) : answer),
    ],
  ];

  test.each(faults)("%s is found", async (_, expected, change) => {
    await using proxy = tamperedBy(change);
    const { areas, failed, left } = await summaryOf(proxy.url.origin, "--area", "labels");
    const failures = areas.flatMap((area) => area.failures);
    expect(failed).toBeGreaterThan(0);
    expect(failures.map((failure) => failure.expected)).toContainEqual(expect.stringContaining(expected));
    expect(failures.every(({ call }) => call.includes("labels"))).toBe(true);
    expect(left).toEqual([]);
  });

  test("a failure is printed with its call, and ends with 1", async () => {
    await using proxy = tamperedBy((request, answer) =>
      isLabel(request, "DELETE") && answer.ok ? new Response(null, { status: 200 }) : answer,
    );
    const { exitCode, stdout } = await selftest(proxy.url.origin, "--area", "labels");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^ {2}DELETE \/api\/v4\/groups\/\d+\/labels\/\d+ as owner\n {4}expected: status 204\n {4}received: status 200$/m,
    );
  });
});

describe("answers that all lack what later steps wait for", () => {
  type Change = (name: string, value: unknown) => unknown;
  const changed = (value: unknown, change: Change): unknown => {
    if (Array.isArray(value)) return value.map((each) => changed(each, change));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [name, change(name, changed(member, change))]);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  /** The areas with steps that wait. */
  const areas = ["users", "groups", "projects", "pipelines", "alerts", "error-tracking"];
  const runMsMax = 30_000;

  test.each([
    ["no web_url", "/web_url", (name: string, value: unknown) => (name === "web_url" ? undefined : value)],
    [
      "ids that are texts",
      "Expected integer at /id",
      (name: string, value: unknown) => (name === "id" && typeof value === "number" ? String(value) : value),
    ],
  ] as const)(
    "%s: the run ends with 1 and says what was expected, and does not wait for each",
    async (_, expected, change) => {
      await using proxy = tamperedBy(async (_request, answer) => {
        if (!/json/.test(answer.headers.get("content-type") ?? "")) return answer;
        return Response.json(changed(await answer.json(), change), { status: answer.status, headers: answer.headers });
      });
      const started = performance.now();
      const { exitCode, stdout } = await selftest(proxy.url.origin, ...areas.flatMap((name) => ["--area", name]));
      expect(performance.now() - started).toBeLessThan(runMsMax);
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^ {2}POST \/api\/v4\/groups as root /m);
      expect(stdout).toMatch(new RegExp(`^ {4}expected: .*${RegExp.escape(expected)}`, "m"));
    },
  );
});

test("SIGINT ends the run, and what was made is removed", async () => {
  await using outpost = await startOutpost({ env, args: ["--log-level", "warn"] });
  const reached = Promise.withResolvers<void>();
  await using proxy = tamperedBy((request, answer) => {
    if (isCreation(request)) reached.resolve();
    return answer;
  }, outpost);
  const run = Bun.spawn([executable, "selftest", "--url", proxy.url.origin, "--token", token, "--area", "labels"], {
    stdout: "pipe",
    stderr: "pipe",
  });
  await reached.promise;
  run.kill("SIGINT");
  expect(await run.exited).toBe(1);
  expect(await run.stdout.text()).toMatch(/^\d+ passed, 0 failed, 0 skipped in [\d.]+ s, interrupted\n$/m);
  expect(await contentOf(outpost.origin)).toEqual(empty);
});
