import { describe, expect, test } from "bun:test";
import { mails } from "../../../../src/modules/core/outbox/records.ts";
import { metricsItem, metricsPayload, setAlertScene } from "../../../support/fixtures/alerts.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const premium = await startWorld({ edition: "premium" });
const { member, alterProject } = placesOf(world);
const settingsPath = "/incident_management_settings";

async function scene(settings: object = { create_issue: true }) {
  const made = await setAlertScene(world);
  await made.ask("PUT", settingsPath, settings);
  const issue = async (iid: number) => (await made.ask("GET", `/issues/${iid}`)).body;
  return { ...made, issue };
}

describe("the alert settings of a project", () => {
  test("are changed one by one", async () => {
    const { ask } = await setAlertScene(world);
    const initial = { create_issue: false, auto_close_incident: true, send_email: false, issue_template_key: null };
    expect((await ask("GET", settingsPath)).body).toEqual(initial);
    const { status, body } = await ask("PUT", settingsPath, { create_issue: true, issue_template_key: "bug" });
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...initial, create_issue: true, issue_template_key: "bug" },
    });
    await ask("PUT", settingsPath, { issue_template_key: null, auto_close_incident: false });
    expect((await ask("GET", settingsPath)).body).toEqual({
      ...initial,
      create_issue: true,
      auto_close_incident: false,
    });
    const none = await ask("PUT", settingsPath, {});
    const names = Object.keys(initial).join(", ");
    expect(none.body.error).toBe(`${names} are missing, at least one parameter must be provided`);
  });

  test("create no incidents automatically below ultimate", async () => {
    const { ask, send } = await setAlertScene(premium);
    expect((await ask("PUT", settingsPath, { create_issue: true })).status).toBe(403);
    expect((await ask("PUT", settingsPath, { create_issue: false, send_email: true })).status).toBe(200);
    await send({});
    expect((await ask("GET", "/issues")).body).toEqual([]);
  });
});

describe("a new alert", () => {
  test("creates an incident of the bot, once", async () => {
    const { send, alert, issue, ask } = await scene();
    const payload = {
      ...{ title: "Disk", severity: "high", service: "storage", monitoring_tool: "Probe", hosts: ["a", "b"] },
      ...{ description: "is full", start_time: "2024-02-03T04:05:06Z" },
    };
    await send(payload);
    await send(payload);
    const found = await alert(1);
    expect(found).toMatchObject({ issue_iid: 1, event_count: 2, status: "triggered" });
    const incident = await issue(1);
    expect(incident).toMatchObject({ title: "Disk", issue_type: "incident", type: "INCIDENT", severity: "HIGH" });
    expect(incident).toMatchObject({ state: "opened", author: { username: "alert-bot", name: "Alert Bot" } });
    expect(incident.description.split("  \n")).toEqual([
      "**Start time:** 03 February 2024, 4:05AM (UTC)",
      "**Severity:** high",
      "**Service:** storage",
      "**Monitoring tool:** Probe",
      "**Hosts:** a b",
      "**Description:** is full",
      `**Alert:** ${found.web_url}`,
    ]);
    expect((await ask("GET", "/issues?issue_type=incident")).body).toHaveLength(1);
    const names = async (query: string) =>
      (await world.get(`/users?${query}`)).body.map(({ username }: Json) => username);
    expect(await names("search=alert-bot")).toEqual(["alert-bot"]);
    expect(await names("search=alert-bot&exclude_internal=true")).toEqual([]);
  });

  test("without a title has its incident's number in its incident's title", async () => {
    const { send, issue, project, ask } = await scene();
    await ask("POST", "/issues", { title: "before" });
    await send({});
    expect(await issue(2)).toMatchObject({ title: "New: Incident 2", severity: "CRITICAL" });
    expect(project.id).toBeGreaterThan(0);
  });

  test("in the metrics format gives its query and its Markdown to the incident", async () => {
    const { send, issue } = await scene();
    const annotations = { summary: "down", service_incident_markdown: "## Look\n\nhere" };
    await send(metricsPayload([metricsItem({ annotations, startsAt: "2024-02-13T12:00:00Z" })]));
    const { description } = await issue(1);
    expect(description).toStartWith("**Start time:** 13 February 2024, 12:00PM (UTC)  \n**Severity:** high  \n");
    expect(description).toContain(
      "  \n**full_query:** `up == 0`  \n**Monitoring tool:** Prometheus  \n**Alert:** http",
    );
    expect(description).toEndWith("/details\n\n---\n\n## Look\n\nhere");
  });

  test("with a severity that incidents do not have gets unknown there", async () => {
    const { send, issue } = await scene();
    await send({ severity: "info" });
    expect((await issue(1)).severity).toBe("UNKNOWN");
  });

  test("has no incident where issues are off", async () => {
    const { send, alert, project } = await scene();
    alterProject(project, { settings: { issues_access_level: "disabled" } });
    expect((await send({})).status).toBe(200);
    expect((await alert(1)).issue_iid).toBeNull();
  });
});

describe("a resolved alert", () => {
  const over = { fingerprint: "f", end_time: "2024-02-03T04:05:06Z" };

  test("closes its incident", async () => {
    const { send, issue } = await scene();
    await send({ fingerprint: "f" });
    expect((await send(over)).status).toBe(200);
    expect(await issue(1)).toMatchObject({ state: "closed", closed_by: { username: "alert-bot" } });
  });

  test("leaves it open when that setting is off", async () => {
    const { send, issue, alert } = await scene({ create_issue: true, auto_close_incident: false });
    await send({ fingerprint: "f" });
    await send(over);
    expect((await issue(1)).state).toBe("opened");
    expect((await alert(1)).status).toBe("resolved");
  });

  test("by a user leaves its incident unchanged", async () => {
    const { send, issue, ask, alertsPath } = await scene();
    await send({ fingerprint: "f" });
    await ask("PUT", `${alertsPath}/1`, { status: "resolved" });
    expect((await issue(1)).state).toBe("opened");
  });
});

describe("an incident", () => {
  test("that a user closes resolves its alert, and one that is reopened does not change it", async () => {
    const { send, alert, ask } = await scene();
    await send({ fingerprint: "f" });
    await ask("PUT", "/issues/1", { state_event: "close" });
    expect(await alert(1)).toMatchObject({ status: "resolved", ended_at: world.clock.time() });
    await ask("PUT", "/issues/1", { state_event: "reopen" });
    expect((await alert(1)).status).toBe("resolved");
  });

  test("that is moved does not change its alert", async () => {
    const { send, alert, ask } = await scene();
    const elsewhere = await setAlertScene(world);
    await send({});
    expect((await ask("POST", "/issues/1/move", { to_project_id: elsewhere.project.id })).status).toBe(201);
    expect((await alert(1)).status).toBe("triggered");
  });

  test("is created manually once, by its author", async () => {
    const { send, ask, alertsPath, alert, project } = await scene({ create_issue: false });
    await send({ title: "T", severity: "low" });
    expect((await alert(1)).issue_iid).toBeNull();
    const person = await world.user();
    member(project, person.id, 30);
    const { status, body } = await world.call("POST", `${alertsPath}/1/incident`, { token: person.token });
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: "T", issue_type: "incident", severity: "LOW", author: { id: person.id } });
    const again = await ask("POST", `${alertsPath}/1/incident`);
    expect({ status: again.status, body: again.body }).toEqual({
      status: 400,
      body: { message: "An issue already exists" },
    });
  });

  test("that is deleted is unlinked from its alert", async () => {
    const { send, ask, alert } = await scene();
    await send({});
    await ask("DELETE", "/issues/1");
    expect((await alert(1)).issue_iid).toBeNull();
  });
});

test("owners and maintainers get mails about new and resolved alerts, if the project wants them", async () => {
  const { send, project } = await scene({ send_email: true });
  const people = await Promise.all([20, 30, 40, 50].map(() => world.user()));
  for (const [at, level] of ([20, 30, 40, 50] as const).entries()) member(project, people[at]?.id ?? 0, level);
  const log = world.store.logOf(mails);
  const from = log.size;
  await send({ fingerprint: "f", title: "Disk" });
  await send({ fingerprint: "f" });
  await send({ fingerprint: "f", end_time: "2024-02-03T04:05:06Z" });
  const told = Array.from({ length: log.size - from }, (_, at) => log.get(from + at + 1));
  const [, , maintainer, owner] = people.map(({ email }) => email) as [string, string, string, string];
  expect(told.map((mail) => [mail?.event, mail?.to])).toEqual([
    ["alert_triggered", maintainer],
    ["alert_triggered", owner],
    ["alert_resolved", maintainer],
    ["alert_resolved", owner],
  ]);
  expect(told[0]?.subject).toBe(`${project.name} | Alert triggered: Disk`);
  await world.call("PUT", `/projects/${project.id}`, { token: rootToken, json: { emails_enabled: false } });
  await send({ title: "silent" });
  expect(log.size).toBe(from + 4);
});
