import { describe, expect, test } from "bun:test";
import { alerts } from "../../../../src/modules/monitoring/alerts/records.ts";
import { fullPath, putAlert, setAlertScene } from "../../../support/fixtures/alerts.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const { member } = placesOf(world);

describe("the list of alerts", async () => {
  const { project, alertsPath, ask } = await setAlertScene(world);
  const ann = await world.user({ username: "ann" });
  const put = (attributes: Parameters<typeof putAlert>[2]) => putAlert(world, project.id, attributes);
  const day = (number: number) => `2024-01-0${number}T00:00:00.000Z`;
  put({ title: "Disk", severity: "low", started_at: day(3), event_count: 9, environment_name: "prod" });
  put({ title: "Net", status: "acknowledged", severity: "critical", started_at: day(1), assignee_id: ann.id });
  put({ description: "the DISK again", status: "resolved", severity: "info", started_at: day(5), ended_at: day(6) });
  put({ service: "disks", status: "ignored", severity: "medium", started_at: day(2), environment_name: "production" });
  put({ monitoring_tool: "Diskwatch", severity: "unknown", started_at: day(4), event_count: 3 });
  putAlert(world, (await setAlertScene(world)).project.id, { title: "Disk elsewhere" });
  const iids = ({ body }: Json) => body.map(({ iid }: Json) => iid);

  test.each([
    ["", [3, 5, 1, 4, 2]],
    ["sort=asc", [2, 4, 1, 5, 3]],
    ["status=triggered", [5, 1]],
    ["status[]=triggered&status[]=resolved", [3, 5, 1]],
    ["status=open", [5, 1, 2]],
    ["status[]=open&status[]=ignored", [5, 1, 4, 2]],
    ["severity=low", [1]],
    ["severity[]=low&severity[]=critical", [1, 2]],
    ["search=dIsK", [3, 5, 1, 4]],
    ["search=disk again", [3]],
    ["search=elsewhere", []],
    ["assignee_username=ann", [2]],
    ["assignee_username=ANN", [2]],
    ["assignee_username=nobody-there", []],
    ["assignee_username=Any", [2]],
    ["assignee_username=None", [3, 5, 1, 4]],
    ["environment=prod", [1]],
    ["environment=Prod", []],
    ["iids[]=1&iids[]=4&iids[]=99", [1, 4]],
    ["order_by=severity", [2, 4, 1, 3, 5]],
    ["order_by=severity&sort=asc", [5, 3, 1, 4, 2]],
    ["order_by=event_count", [1, 5, 4, 3, 2]],
    ["order_by=ended_at", [3, 5, 4, 2, 1]],
    ["order_by=created_at&sort=asc", [1, 2, 3, 4, 5]],
    ["order_by=updated_at", [5, 4, 3, 2, 1]],
    ["order_by=status", [5, 1, 2, 3, 4]],
    ["per_page=2&page=2", [1, 4]],
    ["search=disk&status=open&severity=low", [1]],
  ])("with %j is %j", async (query, expected) => {
    expect(iids(await ask("GET", `${alertsPath}?${query}`))).toEqual(expected as number[]);
  });

  test.each([
    ["status=closed", "status does not have a valid value"],
    ["severity[]=s1", "severity does not have a valid value"],
    ["order_by=title", "order_by does not have a valid value"],
    ["sort=up", "sort does not have a valid value"],
  ])("with %j is refused", async (query, error) => {
    const { status, body } = await ask("GET", `${alertsPath}?${query}`);
    expect({ status, error: body.error }).toEqual({ status: 400, error });
  });

  test("has counts by status, with the same filters except the status", async () => {
    const counts = async (query: string) => (await ask("GET", `${alertsPath}/status_counts?${query}`)).body;
    const all = { all: 5, open: 3, triggered: 2, acknowledged: 1, resolved: 1, ignored: 1 };
    expect(await counts("")).toEqual(all);
    expect(await counts("status=resolved")).toEqual(all);
    expect(await counts("search=disk")).toEqual({ ...all, all: 4, open: 2, acknowledged: 0 });
    expect(await counts("severity=info")).toEqual({
      ...{ all: 1, open: 0, triggered: 0, acknowledged: 0, resolved: 1, ignored: 0 },
    });
  });
});

describe("an alert", async () => {
  const scene = await setAlertScene(world);
  const { project, alertsPath, ask, send, alert, integration } = scene;
  const developer = await world.user();
  member(project, developer.id, 30);
  const reporter = await world.user();
  member(project, reporter.id, 20);
  const make = (attributes: Parameters<typeof putAlert>[2] = {}) => putAlert(world, project.id, attributes).iid;
  const change = (iid: number, json: object) => ask("PUT", `${alertsPath}/${iid}`, json);

  test("has the fields of the page", async () => {
    const payload = { title: "Disk", severity: "high", service: "storage", hosts: ["db-3"], labels: { a: { b: 1 } } };
    const { body } = await send(payload);
    const [{ iid }] = body;
    const found = await alert(iid);
    const now = world.clock.time();
    expect(found).toEqual({
      id: expect.any(Number),
      iid,
      project_id: project.id,
      title: "Disk",
      description: null,
      severity: "high",
      status: "triggered",
      service: "storage",
      monitoring_tool: null,
      environment_name: null,
      runbook: null,
      hosts: ["db-3"],
      environment: null,
      started_at: now,
      ended_at: null,
      event_count: 1,
      fingerprint: expect.stringMatching(/^[\da-f]{40}$/),
      assignees: [],
      issue_iid: null,
      integration_id: integration.id,
      web_url: `${world.origin}/${fullPath(world, project)}/-/alert_management/${iid}/details`,
      created_at: now,
      updated_at: now,
      payload,
      details: { title: "Disk", severity: "high", service: "storage", hosts: ["db-3"], "labels.a.b": 1 },
      metric_query: null,
      y_label: null,
      incident_markdown: null,
    });
    const { payload: _, details, metric_query, y_label, incident_markdown, ...listed } = found;
    expect((await ask("GET", `${alertsPath}?iids[]=${iid}`)).body).toEqual([listed]);
  });

  test("that does not exist, or is in another project, is 404", async () => {
    const other = await setAlertScene(world);
    await other.send({});
    for (const iid of [9_999, "99999999999999999999"]) {
      const { status, body } = await ask("GET", `${alertsPath}/${iid}`);
      expect({ status, body }).toEqual({ status: 404, body: { message: "404 Alert Not Found" } });
    }
    expect((await change(9_999, { status: "resolved" })).body).toEqual({ message: "404 Alert Not Found" });
    expect((await ask("POST", `${alertsPath}/9999/incident`)).body).toEqual({ message: "404 Alert Not Found" });
  });

  test("changes from any status to any other; only a resolved one has an end", async () => {
    const statuses = ["triggered", "acknowledged", "resolved", "ignored"];
    for (const from of statuses) {
      for (const to of statuses) {
        const iid = make();
        await change(iid, { status: from });
        const { status, body } = await change(iid, { status: to });
        expect({ status, to: body.status }).toEqual({ status: 200, to });
        expect(body.ended_at).toBe(to === "resolved" ? world.clock.time() : null);
      }
    }
    expect(world.logged.some((line) => line.startsWith("alert status ") && line.includes('"to":"ignored"'))).toBe(true);
  });

  test("is not reopened beside another open one of its identity", async () => {
    const [old, open] = [make({ fingerprint: "f", status: "resolved" }), make({ fingerprint: "f" })];
    const message =
      "An alert with the same fingerprint is already open. To change the status of this alert, resolve the linked alert.";
    const { status, body } = await change(old, { status: "acknowledged" });
    expect({ status, body }).toEqual({ status: 400, body: { message } });
    await change(open, { status: "resolved" });
    expect((await change(old, { status: "acknowledged" })).status).toBe(200);
  });

  test("is assigned to a user who can read it, and to no other", async () => {
    const iid = make();
    const assignees = async (json: object) => (await change(iid, json)).body.assignees?.map(({ id }: Json) => id);
    expect(await assignees({ assignee_id: developer.id })).toEqual([developer.id]);
    expect(await assignees({ assignee_id: 0 })).toEqual([]);
    expect(await assignees({ assignee_username: developer.username })).toEqual([developer.id]);
    expect(await assignees({ assignee_username: "" })).toEqual([]);
    expect(await assignees({ assignee_id: developer.id, status: "acknowledged" })).toEqual([developer.id]);
    expect(await assignees({ assignee_id: null })).toEqual([]);
    expect(await assignees({ assignee_id: 1 })).toEqual([1]);
    for (const json of [{ assignee_id: reporter.id }, { assignee_id: 9_999 }, { assignee_username: "nobody-there" }]) {
      const { status, body } = await change(iid, json);
      expect({ status, body }).toEqual({ status: 400, body: { message: "Assignee has no permissions" } });
    }
  });

  test.each([
    [{}, "status, assignee_id, assignee_username are missing, at least one parameter must be provided"],
    [{ assignee_id: 1, assignee_username: "root" }, "assignee_id, assignee_username are mutually exclusive"],
    [{ status: "open" }, "status does not have a valid value"],
  ])("is not changed by %j", async (json, error) => {
    const { status, body } = await change(make(), json);
    expect({ status, error: body.error }).toEqual({ status: 400, error });
  });

  test("loses its assignee when that user is deleted", async () => {
    const person = await world.user();
    member(project, person.id, 40);
    const iid = make();
    await change(iid, { assignee_id: person.id });
    await world.call("DELETE", `/users/${person.id}`, { token: rootToken });
    expect((await alert(iid)).assignees).toEqual([]);
    expect([...(world.store.of(alerts).by.assignee_id.find(person.id) ?? [])]).toEqual([]);
  });
});
