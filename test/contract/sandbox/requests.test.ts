import { beforeEach, describe, expect, test } from "bun:test";
import { type CallOptions, type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld({ sandbox: true });
await world.rootPasswordStored();
const mara = await world.user({ username: "mara" });

const requests = async (query: CallOptions["query"] = {}): Promise<Json[]> =>
  (await world.get("/-/sandbox/requests", { query })).body;
const latest = async (): Promise<Json> => (await requests({ per_page: 1 }))[0];
const headerOf = (message: Json, wanted: string): string | undefined =>
  message.headers.find(({ name }: { name: string }) => name === wanted)?.value;

beforeEach(async () => {
  expect((await world.call("DELETE", "/-/sandbox/requests", { token: rootToken })).status).toBe(204);
});

describe("a request that was asked", () => {
  test("is shown with its answer", async () => {
    const { headers } = await world.call("POST", "/projects", {
      token: mara.token,
      json: { name: "station", topics: ["air"] },
    });
    const shown = await latest();
    expect(shown).toMatchObject({
      method: "POST",
      url: `${world.origin}/api/v4/projects`,
      route: "/projects",
      status: 201,
      user: "mara",
      request_id: headers.get("x-request-id"),
      started_at: new Date(world.clock.now()).toISOString(),
      request: { body: '{"name":"station","topics":["air"]}', size: 35, is_base64: false, is_cut: false },
      response: { is_base64: false, is_cut: false },
    });
    expect(JSON.parse(shown.response.body)).toMatchObject({ path_with_namespace: "mara/station" });
    expect(shown.response.size).toBeGreaterThan(1000);
    expect(headerOf(shown.response, "content-type")).toBe("application/json");
    expect(shown.duration_ms).toBeGreaterThan(0);
  });

  test("has no route when no operation answers it, and no user without a token", async () => {
    await world.call("GET", "/nowhere");
    expect(await latest()).toMatchObject({ route: null, status: 404, user: null, request: { body: null, size: 0 } });
  });

  test("of the console or below /-/ is shown only when it is asked for", async () => {
    await world.get("/-/sandbox/clock");
    await world.call("GET", "/-/console/");
    await world.get("/users", { headers: { "X-Outpost-Console": "true" } });
    await world.get("/version");
    expect((await requests()).map(({ url }) => new URL(url).pathname)).toEqual(["/api/v4/version"]);
    const all = (await requests({ internal: true })).map(({ url }) => new URL(url).pathname);
    const earlier = ["/api/v4/version", "/api/v4/users", "/-/console", "/-/sandbox/clock"];
    expect(all).toEqual(["/-/sandbox/requests", ...earlier, "/-/sandbox/requests"]);
  });

  test("that no operation answers is shown with its body", async () => {
    await world.call("POST", "/projects/1/merge_trains", { token: mara.token, json: { title: "unread" } });
    expect(await latest()).toMatchObject({
      route: null,
      request: { body: '{"title":"unread"}', size: 18, is_cut: false },
    });
  });

  test("that is refused before its body is read is shown with it", async () => {
    await world.call("POST", "/projects", { token: "wrong", json: { name: "unread" } });
    expect(await latest()).toMatchObject({ status: 401, request: { body: '{"name":"unread"}', is_cut: false } });
  });

  test("has its first 64 KiB, and those of its answer", async () => {
    const description = "é".repeat(100_000);
    const { id } = (await world.call("POST", "/projects", { token: mara.token, json: { name: "long" } })).body;
    await world.call("POST", `/projects/${id}/issues`, { token: mara.token, json: { title: "long", description } });
    const { request, response } = await latest();
    expect(request.size).toBe(200_000 + '{"title":"long","description":""}'.length);
    for (const { is_cut, body } of [request, response]) {
      expect(is_cut).toBe(true);
      expect(Buffer.byteLength(body)).toBeWithin(65_530, 65_537);
    }
  });

  test("shows bytes that are no text in Base64", async () => {
    const { id } = (await world.call("POST", "/projects", { token: mara.token, json: { name: "bytes" } })).body;
    const raw = new Uint8Array([0, 255, 1, 254]);
    const path = `/projects/${id}/packages/generic/a/1.0/a.bin`;
    expect((await world.call("PUT", path, { token: mara.token, raw })).status).toBe(201);
    expect((await latest()).request).toMatchObject({ body: "AP8B/g==", is_base64: true, size: 4 });
    await world.call("GET", path, { token: mara.token });
    expect((await latest()).response).toMatchObject({ body: "AP8B/g==", is_base64: true, size: 4 });
  });

  test("shows that its connection was closed on purpose", async () => {
    const dropped = fetch(`${world.origin}/api/v4/version`, {
      headers: { "PRIVATE-TOKEN": mara.token, Prefer: "drop" },
    });
    expect(dropped).rejects.toThrow();
    await dropped.catch(() => undefined);
    expect((await latest()).response).toMatchObject({ body: "" });
  });
});

describe("no secret is kept:", () => {
  const secret = "a-password-nobody-knows";
  const text = async () => JSON.stringify(await requests({ per_page: 100 }));
  const basic = (password: string) => `Basic ${Buffer.from(`mara:${password}`).toString("base64")}`;

  test.each<[string, CallOptions]>([
    ["PRIVATE-TOKEN", { headers: { "PRIVATE-TOKEN": mara.token } }],
    ["Authorization: Bearer", { headers: { Authorization: `Bearer ${mara.token}` } }],
    ["private_token", { query: { private_token: mara.token } }],
    ["access_token", { query: { access_token: mara.token } }],
  ])("a token in %s is named by its user", async (_, options) => {
    expect((await world.call("GET", "/user", options)).status).toBe(200);
    const shown = await text();
    expect(shown).not.toContain(mara.token);
    expect(shown).toMatch(/\[token \d+ of mara\]/);
  });

  test("a token as the password of Basic", async () => {
    await world.call("GET", "/mara/none.git/info/refs?service=git-upload-pack", {
      headers: { Authorization: basic(mara.token) },
    });
    expect(headerOf((await latest()).request, "authorization")).toMatch(/^Basic \[token \d+ of mara\]$/);
  });

  test("a new token in an answer", async () => {
    const { token, id } = await world.token(mara.id);
    expect(await text()).not.toContain(token);
    expect((await latest()).response.body).toContain(`"token":"[token ${id} of mara]"`);
  });

  test.each<[string, CallOptions]>([
    ["JSON", { json: { password: secret } }],
    ["a form", { form: { password: secret } }],
    ["an escaped form", { form: { password: `${secret} & =` } }],
    ["multipart", { multipart: formOf({ password: secret }) }],
    ["the query", { query: { password: secret } }],
  ])("a password in %s", async (_, options) => {
    await world.call("PUT", `/users/${mara.id}`, { token: rootToken, ...options });
    expect(await text()).not.toContain(secret);
    expect(await text()).toContain("[secret]");
  });

  test("a session's cookie and its CSRF token", async () => {
    const json = { token: mara.token };
    const { headers, body } = await world.call("POST", "/-/session", { json });
    const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";");
    await world.call("GET", "/user", { headers: { cookie } });
    const shown = await text();
    expect(shown).not.toContain(cookie.split("=")[1] as string);
    expect(shown).not.toContain(body.csrf_token);
    expect(shown).not.toContain(mara.token);
  });

  test("an unknown token that was tried", async () => {
    await world.call("GET", "/user", { token: "opx-AAAAAAAAAAAAAAAAAAAA" });
    expect(await text()).not.toContain("opx-AAAA");
  });
});

describe("the list", () => {
  const ask = async () => {
    await world.call("GET", "/version", { token: mara.token });
    await world.call("POST", "/groups", {
      token: mara.token,
      json: { name: "Skylark", path: `sky${world.clock.now()}` },
    });
    world.clock.advance(60_000);
    await world.call("GET", "/user");
  };
  const routes = async (query: CallOptions["query"]) => (await requests(query)).map(({ route }) => route);

  test("is newest first, and paged", async () => {
    await ask();
    expect(await routes({})).toEqual(["/user", "/groups", "/version"]);
    const page = await world.get("/-/sandbox/requests", { query: { per_page: 2, page: 2 } });
    expect(page.body.map(({ route }: { route: string }) => route)).toEqual(["/version"]);
    expect(page.headers.get("x-total")).toBe("3");
  });

  test.each<[CallOptions["query"], string[]]>([
    [{ method: "POST" }, ["/groups"]],
    [{ route: "/version" }, ["/version"]],
    [{ status: 401 }, ["/user"]],
    [{ user: "mara" }, ["/groups", "/version"]],
    [{ contains: "Skylark" }, ["/groups"]],
    [{ contains: "v4/vers" }, ["/version"]],
    [{ method: "POST", status: 200 }, []],
  ])("is filtered by %p", async (query, expected) => {
    await ask();
    expect(await routes(query)).toEqual(expected);
  });

  test("is filtered by time", async () => {
    await ask();
    expect(await routes({ since: new Date(world.clock.now()).toISOString() })).toEqual(["/user"]);
  });

  test("forgets the oldest beyond 10,000 requests", async () => {
    for (let batch = 0; batch < 101; batch += 1) {
      await Promise.all(Array.from({ length: 100 }, () => fetch(`${world.origin}/api/v4/version`)));
    }
    const { headers } = await world.get("/-/sandbox/requests");
    expect(headers.get("x-total")).toBe("10000");
  }, 60_000);

  test("is a HAR 1.2 file, oldest first", async () => {
    await ask();
    const { text, headers } = await world.get("/-/sandbox/requests", { query: { format: "har", user: "mara" } });
    expect(headers.get("content-type")).toBe("application/json");
    const { log } = JSON.parse(text);
    expect(log).toMatchObject({ version: "1.2", creator: { name: "Outpost", version: expect.any(String) } });
    expect(log.entries).toHaveLength(2);
    const [version, group] = log.entries;
    expect(version).toMatchObject({
      startedDateTime: expect.stringMatching(/^\d{4}-.*Z$/),
      time: expect.any(Number),
      request: { method: "GET", url: `${world.origin}/api/v4/version`, httpVersion: "HTTP/1.1", queryString: [] },
      response: { status: 200, statusText: "OK", content: { mimeType: "application/json" }, redirectURL: "" },
      cache: {},
      timings: { send: 0, wait: expect.any(Number), receive: 0 },
    });
    expect(version.request.postData).toBeUndefined();
    expect(group.request.postData).toMatchObject({ mimeType: "application/json" });
  });
});

test("nothing is kept on an ordinary server", async () => {
  const ordinary = await startWorld();
  expect((await ordinary.get("/-/sandbox/requests")).status).toBe(404);
});

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
