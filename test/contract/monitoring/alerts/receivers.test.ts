import { describe, expect, test } from "bun:test";
import { alertIntegrations, alertPayloads, alerts } from "../../../../src/modules/monitoring/alerts/records.ts";
import { fullPath, metricsPayload, pathOf, setAlertScene } from "../../../support/fixtures/alerts.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Answer, type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const scene = await setAlertScene(world);
const { integration, send, integrate, ask, integrationsPath } = scene;
const path = pathOf(integration.url);
const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString("base64")}`;
const post = (to: string, headers: Record<string, string> = {}, raw = "{}") =>
  world.call("POST", to, { raw, headers: { "Content-Type": "application/json", ...headers } });
const bare = ({ status, text }: Answer) => ({ status, text });

describe("a receiver", () => {
  const bearer = { Authorization: `Bearer ${integration.token}` };
  test.each([
    ["by its URL", path],
    ["without .json", path.replace(/\.json$/, "")],
    ["with a slash at the end", `${path}/`],
    ["under another name", path.replace("probe-farm", "what%20ever")],
    ["whatever the case of the project's path", path.replace(/^.*?(?=\/alerts)/, (text) => text.toUpperCase())],
    ["by the path of old", `/${fullPath(world, scene.project)}/alerts/notify.json`],
    ["by the path of old without .json", `/${fullPath(world, scene.project)}/alerts/notify/`],
  ])("%s", async (_, to) => {
    const { status, body, headers } = await post(to, bearer);
    expect({ status, body }).toEqual({ status: 200, body: [{ iid: expect.any(Number), title: "New: Alert" }] });
    expect(headers.get("content-type")).toBe("application/json");
  });

  test("is found on the deprecated path by its type and its key", async () => {
    const metrics = await integrate({ type: "prometheus" });
    const second = await integrate({});
    const old = (rest: string, key: string) =>
      post(`/${fullPath(world, scene.project)}${rest}`, { Authorization: `Bearer ${key}` });
    expect((await old("/prometheus/alerts/notify.json", metrics.token)).status).toBe(200);
    expect((await old("/prometheus/alerts/notify.json", integration.token)).status).toBe(401);
    expect((await old("/alerts/notify.json", metrics.token)).status).toBe(401);
    const { body } = await old("/alerts/notify.json", second.token);
    expect((await scene.alert(body[0].iid)).integration_id).toBe(second.id);
  });

  test("is found in a project with the path prometheus", async () => {
    const places = placesOf(world);
    const group = places.group({ path: "tools" });
    const project = places.project(group.id, { path: "prometheus" });
    const { body } = await world.call("POST", `/projects/${project.id}/alert_management_http_integrations`, {
      token: rootToken,
      json: { name: "x" },
    });
    const answer = await post("/tools/prometheus/alerts/notify.json", { Authorization: `Bearer ${body.token}` });
    expect(answer.status).toBe(200);
  });

  test.each([
    ["a project that is not there", "/no/project/alerts/notify.json", {}],
    ["a project that is not there, whatever the body", "/no/project/alerts/notify/x/abc.json", { raw: "{" }],
    ["a group", path.replace(/\/[^/]+\/alerts/, "/alerts"), {}],
    ["an identifier of other signs", path.replace(/[^/]+\.json$/, "a-b.json"), {}],
  ])("is 404 for %s", async (_, to, { raw = "{}" }: { raw?: string }) => {
    expect(bare(await post(to, bearer, raw))).toEqual({ status: 404, text: "" });
  });

  test("takes POST only", async () => {
    expect((await world.call("GET", path)).status).toBe(405);
  });
});

describe("the key", () => {
  test.each([
    ["as Bearer", () => ({ Authorization: `Bearer ${integration.token}` }), 200],
    ["as bearer in small letters", () => ({ Authorization: `bearer ${integration.token}` }), 200],
    ["as a password without a name", () => ({ Authorization: basic("", integration.token) }), 200],
    ["as a password with any name", () => ({ Authorization: basic("me", integration.token) }), 200],
    ["as the name", () => ({ Authorization: basic(integration.token, "") }), 401],
    ["alone", () => ({ Authorization: integration.token }), 401],
    ["as another scheme", () => ({ Authorization: `Token ${integration.token}` }), 401],
    ["as an access token", () => ({ "PRIVATE-TOKEN": integration.token }), 401],
    ["as a wrong one", () => ({ Authorization: "Bearer wrong" }), 401],
    ["as root's token", () => ({ Authorization: `Bearer ${rootToken}` }), 401],
    ["not at all", () => ({}), 401],
    [
      "with another's token beside it",
      () => ({ Authorization: `Bearer ${integration.token}`, "PRIVATE-TOKEN": "x" }),
      200,
    ],
  ] as [string, () => Record<string, string>, number][])("%s", async (_, headers, status) => {
    const answer = await post(path, headers());
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.text).toBe("");
  });

  test("is not read from the query or the body", async () => {
    const { token } = integration;
    expect((await post(`${path}?token=${token}&private_token=${token}`)).status).toBe(401);
    expect((await send({ token, key: token }, { key: "wrong" })).status).toBe(401);
  });

  test("is never in the log, and neither is the path", () => {
    const lines = world.logged.join("\n");
    expect(lines).toContain("/alerts/notify/");
    expect(lines).not.toContain(integration.token);
    expect(lines).not.toContain(integration.endpoint_identifier);
  });
});

describe("the order of errors", () => {
  const metrics = JSON.stringify(metricsPayload([]));
  test("is malformed JSON and limits before the integration", async () => {
    for (const raw of ["{", "nothing", '{"a":}', `${"[".repeat(101)}${"]".repeat(101)}`, "\xff{"]) {
      expect(bare(await post(path, {}, raw))).toEqual({ status: 400, text: "" });
    }
    expect((await post(path, {}, `{"a":${"[".repeat(99)}${"]".repeat(99)}}`)).status).toBe(401);
    expect((await post(path, {}, `{"a":${"[".repeat(100)}${"]".repeat(100)}}`)).status).toBe(400);
    const text = JSON.stringify({ text: '[[[[\\"'.repeat(100) });
    expect((await post(path, {}, text)).status).toBe(401);
  });

  test("is an inactive or unknown integration before the key: 403, or 401 for the metrics format", async () => {
    const sleeping = await integrate({ active: false });
    const unknown = path.replace(/[^/]+\.json$/, "0123456789abcdef.json");
    for (const to of [pathOf(sleeping.url), unknown]) {
      for (const key of [sleeping.token, "wrong"]) {
        const headers = { Authorization: `Bearer ${key}` };
        expect(bare(await post(to, headers))).toEqual({ status: 403, text: "" });
        expect(bare(await post(to, headers, metrics))).toEqual({ status: 401, text: "" });
      }
    }
    const elsewhere = await setAlertScene(world);
    const foreign = path.replace(/[^/]+\.json$/, pathOf(elsewhere.integration.url).split("/").at(-1) as string);
    expect((await post(foreign, { Authorization: `Bearer ${elsewhere.integration.token}` })).status).toBe(403);
  });

  test("is the key before the payload", async () => {
    const useless = { end_time: "2024-02-03T04:05:06Z", title: "never seen" };
    expect((await send(useless, { key: "wrong" })).status).toBe(401);
    expect(bare(await send(useless))).toEqual({ status: 400, text: "" });
    expect(bare(await send(metricsPayload([], { alerts: {} })))).toEqual({ status: 400, text: "" });
  });

  test("a deleted integration is unknown, and an old key is wrong", async () => {
    const other = await integrate();
    const { status, body } = await ask("POST", `${integrationsPath}/${other.id}/reset_token`);
    expect({ status, url: body.url }).toEqual({ status: 201, url: other.url });
    expect((await send({}, { to: other })).status).toBe(401);
    expect((await send({}, { to: body })).status).toBe(200);
    await ask("DELETE", `${integrationsPath}/${other.id}`);
    expect((await send({}, { to: body })).status).toBe(403);
  });
});

describe("a body", () => {
  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "image/png", ""])(
    "of type %j is read as JSON",
    async (type) => {
      const { body } = await send({ title: `typed ${type}` }, { headers: { "Content-Type": type } });
      expect(body[0].title).toBe(`typed ${type}`);
    },
  );

  test("that is empty is an empty object", async () => {
    expect((await send("")).body[0].title).toBe("New: Alert");
  });

  test.each([
    ["[1,[2]]", [1, [2]]],
    ['"text"', "text"],
    ["null", null],
    ["12", 12],
  ])("that is %s is stored as _json", async (raw, value) => {
    const { body } = await send(raw);
    expect((await scene.alert(body[0].iid)).payload).toEqual({ _json: value });
  });

  test("of a mebibyte is accepted, and of one byte more refused, with a length and in chunks", async () => {
    const sized = (bytes: number) => `{"title":"large","text":"${"x".repeat(bytes - 27)}"}`;
    expect(sized(100)).toHaveLength(100);
    expect((await send(sized(1_048_576))).status).toBe(200);
    expect(bare(await send(sized(1_048_577)))).toEqual({ status: 400, text: "" });
    expect(bare(await send(sized(1_048_577), { key: "wrong" }))).toEqual({ status: 400, text: "" });
    expect(bare(await send(sized(9_000_000)))).toEqual({ status: 400, text: "" });
    const chunks = () => {
      let sent = 0;
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent++ === 100) controller.close();
          else controller.enqueue(Buffer.alloc(50_000, " "));
        },
      });
    };
    const headers = { Authorization: `Bearer ${integration.token}` };
    const streamed = await fetch(`${world.origin}${path}`, { method: "POST", body: chunks(), headers });
    expect({ status: streamed.status, text: await streamed.text() }).toEqual({ status: 400, text: "" });
  });

  test("that is long is stored unchanged, in a file", async () => {
    const payload = { title: "long", list: Array.from({ length: 5_000 }, (_, at) => `entry ${at} ü`) };
    const { body } = await send(payload);
    const { payload: kept, details } = await scene.alert(body[0].iid);
    expect(kept).toEqual(payload);
    expect(details).toEqual(payload);
    expect([...world.store.blobs.hashes()].length).toBeGreaterThan(0);
  });
});

test("simultaneous requests with the same content are one alert with the exact count", async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => send({ title: "storm", n: 1 })));
  const iids = new Set(answers.map(({ body }) => body[0].iid));
  expect(iids.size).toBe(1);
  expect((await scene.alert([...iids][0] as number)).event_count).toBe(60);
});

test("a deleted project has no receiver", async () => {
  const other = await setAlertScene(world);
  expect((await other.send({ title: "one" })).status).toBe(200);
  await world.call("DELETE", `/projects/${other.project.id}`, { token: rootToken });
  expect((await other.send({ title: "two" })).status).toBe(404);
  await world.jobsDone();
  const left = (name: Json) => [...(world.store.of(name as typeof alerts).by.project_id.find(other.project.id) ?? [])];
  expect([left(alerts), left(alertIntegrations)]).toEqual([[], []]);
  expect(world.store.of(alertPayloads).size).toBe(world.store.of(alerts).size);
});
