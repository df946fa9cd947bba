import { describe, expect, spyOn, test } from "bun:test";
import { fullPath, metricsItem, metricsPayload, setAlertScene } from "../../../support/fixtures/alerts.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const community = await startWorld({ edition: "community" });
const scene = await setAlertScene(world);
const { ask, integrationsPath: path, integrate, send, alert, project } = scene;

describe("an integration", () => {
  test("has the fields of the page", async () => {
    const made = await integrate({ name: "  The Probe/Farm! 2 ", token: "mine", endpoint_identifier: "mine" });
    expect(made).toEqual({
      id: expect.any(Number),
      type: "http",
      name: "  The Probe/Farm! 2 ",
      active: true,
      endpoint_identifier: expect.stringMatching(/^[\da-f]{16}$/),
      url: `${world.origin}/${fullPath(world, project)}/alerts/notify/the-probe-farm--2/${made.endpoint_identifier}.json`,
      token: expect.stringMatching(/^[\da-f]{32}$/),
      payload_example: {},
      payload_attribute_mappings: [],
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
    });
    expect((await ask("GET", `${path}/${made.id}`)).body).toEqual(made);
  });

  test.each([
    ["Ünïcode", "n-code"],
    ["---", "http-endpoint"],
    ["日本", "http-endpoint"],
    ["a".repeat(70), "a".repeat(63)],
  ])("with name %j has %j in its URL", async (name, slug) => {
    expect((await integrate({ name })).url).toContain(`/notify/${slug}/`);
  });

  test("is listed by id, in pages", async () => {
    const { body, headers } = await ask("GET", `${path}?per_page=2`);
    expect(body.map(({ id }: Json) => id)).toEqual([scene.integration.id, expect.any(Number)]);
    expect(Number(headers.get("x-total"))).toBeGreaterThan(4);
  });

  test("is changed, and keeps the identifier in its URL and its key", async () => {
    const made = await integrate();
    world.clock.advance(1_000);
    const { status, body } = await ask("PUT", `${path}/${made.id}`, {
      name: "Other",
      active: false,
      type: "prometheus",
    });
    expect(status).toBe(200);
    const url = made.url.replace("probe-farm", "other");
    const updated_at = world.clock.time();
    expect(body).toEqual({ ...made, name: "Other", active: false, type: "prometheus", url, updated_at });
    expect((await send({}, { to: made })).status).toBe(403);
  });

  test("leaves its alerts when it is deleted", async () => {
    const made = await integrate();
    const { body } = await send({ title: "left behind" }, { to: made });
    expect((await alert(body[0].iid)).integration_id).toBe(made.id);
    expect((await ask("DELETE", `${path}/${made.id}`)).status).toBe(204);
    expect((await alert(body[0].iid)).integration_id).toBeNull();
    expect((await ask("GET", `${path}/${made.id}`)).body).toEqual({ message: "404 Alert Integration Not Found" });
  });

  test("of another project is 404", async () => {
    const other = await setAlertScene(world);
    for (const [method, rest] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/reset_token"],
      ["POST", "/test_alert"],
    ] as const) {
      const { status, body } = await ask(
        method,
        `${path}/${other.integration.id}${rest}`,
        method === "GET" ? undefined : { payload: {} },
      );
      expect({ status, body }).toEqual({ status: 404, body: { message: "404 Alert Integration Not Found" } });
    }
  });

  test.each([
    [{}, { error: "name is missing", message: '400 (Bad request) "name" not given' }],
    [{ name: " " }, { message: { name: ["can't be blank"] } }],
    [{ name: "x".repeat(256) }, { message: { name: ["is too long (maximum is 255 characters)"] } }],
    [{ name: "x", type: "other" }, { error: "type does not have a valid value" }],
    [{ name: "x", active: "perhaps" }, { error: "active is invalid" }],
    [{ name: "x", payload_example: "{" }, { error: "payload_example is invalid" }],
    [{ name: "x", payload_example: { a: "x".repeat(1_048_576) } }, { error: "payload_example is invalid" }],
    [{ name: "x", payload_example: { a: Array(9_999).fill(0) } }, { error: "payload_example is invalid" }],
    [{ name: "x", payload_example: `{"a":[${Array(9_999).fill("{}")}]}` }, { error: "payload_example is invalid" }],
    [
      { name: "x", payload_attribute_mappings: [{ field_name: "title", path: ["x".repeat(65_536)], type: "string" }] },
      { error: "payload_attribute_mappings is invalid" },
    ],
    [
      { name: "x", payload_attribute_mappings: Array(101).fill({ field_name: "title", path: ["a"], type: "string" }) },
      { error: "payload_attribute_mappings has too many values (maximum is 100)" },
    ],
    [
      { name: "x", payload_attribute_mappings: [{ field_name: "color", path: ["a"], type: "string" }] },
      { error: "payload_attribute_mappings[0][field_name] does not have a valid value" },
    ],
    [
      { name: "x", payload_attribute_mappings: [{ field_name: "title", path: [], type: "string" }] },
      { error: "payload_attribute_mappings[0][path] is empty" },
    ],
  ])("%j is refused", async (json, expected) => {
    const { status, body } = await ask("POST", path, json);
    expect(status).toBe(400);
    expect(body).toMatchObject(expected);
  });

  test("of an existing type is refused in the community edition, on or off", async () => {
    const free = await setAlertScene(community, { active: false });
    const message = "Multiple integrations of a single type are not supported for this project";
    const second = await free.ask("POST", free.integrationsPath, { name: "x" });
    expect({ status: second.status, body: second.body }).toEqual({ status: 400, body: { message } });
    const other = await free.integrate({ type: "prometheus" });
    const { body } = await free.ask("PUT", `${free.integrationsPath}/${other.id}`, { type: "http" });
    expect(body).toEqual({ message });
    expect((await free.ask("PUT", `${free.integrationsPath}/${other.id}`, { name: "y" })).status).toBe(200);
  });
});

describe("the integrations of a project", () => {
  test("are at most a thousand", async () => {
    const full = await setAlertScene(world);
    for (let count = 1; count < 1_000; count += 1) await full.integrate();
    const { status, body } = await full.ask("POST", full.integrationsPath, { name: "x" });
    const message = { base: ["Maximum number of alert integrations (1000) exceeded"] };
    expect({ status, body }).toEqual({ status: 400, body: { message } });
    expect((await full.ask("PUT", `${full.integrationsPath}/${full.integration.id}`, { name: "y" })).status).toBe(200);
    expect((await full.ask("DELETE", `${full.integrationsPath}/${full.integration.id}`)).status).toBe(204);
    await full.integrate();
  }, 60_000);

  test("are listed with the texts of their samples, unparsed", async () => {
    const large = await setAlertScene(world);
    const samples = Array.from({ length: 5 }, (_, at) => ({ b: at, a: [`ü${"x".repeat(900_000)}`, { 10: 1, 9: [] }] }));
    for (const payload_example of samples) await large.integrate({ payload_example });
    const parse = spyOn(JSON, "parse");
    const answer = await fetch(`${world.origin}/api/v4${large.integrationsPath}`, {
      headers: { "PRIVATE-TOKEN": rootToken },
    });
    const text = await answer.text();
    const longest = Math.max(0, ...parse.mock.calls.map(([given]) => given.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(500_000);
    const shown = JSON.parse(text).map(({ payload_example }: Json) => payload_example);
    expect(JSON.stringify(shown) === JSON.stringify([{}, ...samples])).toBe(true);
  });
});

describe("a test alert", () => {
  const test_ = (id: number, json: object, token = rootToken) =>
    world.call("POST", `${path}/${id}/test_alert`, { token, json });

  test("is stored like others", async () => {
    const { status, body } = await test_(scene.integration.id, { payload: { title: "test" } });
    expect({ status, body }).toEqual({ status: 200, body: [{ iid: expect.any(Number), title: "test" }] });
    expect((await test_(scene.integration.id, { payload: '{"title":"test"}' })).body).toEqual(body);
    expect(await alert(body[0].iid)).toMatchObject({ event_count: 2, payload: { title: "test" } });
  });

  test("is refused for an invalid payload, and while the integration is off", async () => {
    const off = await integrate({ active: false });
    expect((await test_(off.id, { payload: {} })).status).toBe(403);
    expect((await test_(scene.integration.id, {})).body.error).toBe("payload is missing");
    for (const payload of ["{", 12, [1], null]) {
      const { status, body } = await test_(scene.integration.id, { payload });
      expect({ status, error: body.error }).toEqual({ status: 400, error: "payload is invalid" });
    }
    expect((await test_(scene.integration.id, { payload: { title: "n", end_time: "2024-01-01" } })).status).toBe(400);
    expect((await test_(scene.integration.id, { payload: metricsPayload([], { alerts: 1 }) })).status).toBe(400);
  });

  test("may be sent by developers, who cannot read the integration", async () => {
    const { member } = placesOf(world);
    const person = await world.user();
    member(project, person.id, 30);
    expect((await test_(scene.integration.id, { payload: {} }, person.token)).status).toBe(200);
    expect((await world.call("GET", path, { token: person.token })).status).toBe(403);
  });
});

describe("mappings", () => {
  const mappings = [
    { field_name: "title", path: ["event", "name"], type: "string", label: "Name" },
    { field_name: "severity", path: ["event", "tags", 1], type: "string" },
    { field_name: "fingerprint", path: ["event", "id"], type: "number" },
    { field_name: "gitlab_environment_name", path: ["where"], type: "string" },
    { field_name: "hosts", path: ["machines"], type: "array" },
    { field_name: "end_time", path: ["over"], type: "datetime" },
  ];
  const event = {
    event: { name: "Mapped", tags: ["x", "LOW"], id: 77 },
    where: "prod",
    machines: ["m"],
    title: "Plain",
  };

  test("name the paths of values; the default paths apply where they have none", async () => {
    const made = await integrate({ payload_attribute_mappings: mappings, payload_example: '{"a":1}' });
    expect(made.payload_example).toEqual({ a: 1 });
    expect(made.payload_attribute_mappings[0]).toEqual(mappings[0]);
    expect(made.payload_attribute_mappings[3].field_name).toBe("service_environment_name");
    const { body } = await send(event, { to: made });
    const found = await alert(body[0].iid);
    expect(found).toMatchObject({ title: "Mapped", severity: "low", environment_name: "prod", hosts: ["m"] });
    expect(found.fingerprint).toBe(new Bun.CryptoHasher("sha1").update("77").digest("hex"));
    const { body: plain } = await send({ title: "Plain", event: { name: " " } }, { to: made });
    expect(plain[0].title).toBe("Plain");
    await send({ ...event, over: "2024-02-03T04:05:06Z" }, { to: made });
    expect((await alert(body[0].iid)).status).toBe("resolved");
  });

  test("apply to items of the metrics format, too", async () => {
    const payload_attribute_mappings = [{ field_name: "service", path: ["labels", "job"], type: "string" }];
    const made = await integrate({ payload_attribute_mappings });
    const { body } = await send(metricsPayload([metricsItem({ labels: { alertname: "A", job: "node" } })]), {
      to: made,
    });
    expect((await alert(body[0].iid)).service).toBe("node");
  });

  test("are neither stored nor applied in the community edition", async () => {
    const free = await setAlertScene(community, {
      payload_attribute_mappings: [{ nonsense: 1 }],
      payload_example: "{",
    });
    expect(free.integration).toMatchObject({ payload_attribute_mappings: [], payload_example: {} });
    expect((await free.send(event)).body[0].title).toBe("Plain");
  });
});
