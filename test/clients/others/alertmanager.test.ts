import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { until } from "../../support/process/fault-client.ts";
import { freePort } from "../../support/process/free-port.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const binary = "/usr/bin/prometheus-alertmanager";
const missing = await installTool([binary, "--version"], "prometheus-alertmanager");
const rootToken = "a-token-for-tests-0123456789";
const waitMsMax = 120_000;

/** One receiver for each way in which Alertmanager gives its key. */
function configuration(origin: string, { bearer, basic, credentials }: Record<string, Json>): string {
  const old = credentials.url.replace(/\/alerts\/notify\/.*$/, "/prometheus/alerts/notify.json");
  return `
route:
  receiver: bearer
  group_by: [alertname]
  group_wait: 1s
  group_interval: 1s
  repeat_interval: 1s
  routes:
    - matchers: [way="basic"]
      receiver: basic
    - matchers: [way="credentials"]
      receiver: credentials
receivers:
  - name: bearer
    webhook_configs:
      - url: ${bearer.url}
        http_config: { authorization: { credentials: ${bearer.token} } }
  - name: basic
    webhook_configs:
      - url: ${basic.url}
        http_config: { basic_auth: { username: "", password: ${basic.token} } }
  - name: credentials
    webhook_configs:
      - url: ${old.replace(origin, origin.replace("://", `://:${credentials.token}@`))}
`;
}

describe.skipIf(missing !== undefined)("Alertmanager, unmodified", () => {
  let outpost: OutpostProcess;
  let folder: TempFolder;
  let alertmanager: ReturnType<typeof Bun.spawn> | undefined;
  let origin = "";
  let project = 0;

  const call = async (method: string, path: string, json?: object): Promise<Json> => {
    const answer = await fetch(`${outpost.origin}/api/v4${path}`, {
      method,
      headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const alerts = (query: string) => call("GET", `/projects/${project}/alert_management_alerts?${query}`);
  const details = ({ iid }: Json) => call("GET", `/projects/${project}/alert_management_alerts/${iid}`);
  const fire = async (labels: Record<string, string>, more: object = {}) => {
    const generatorURL = "http://prom.example/graph?g0.expr=up+%3D%3D+0&g0.tab=1";
    const annotations = { summary: `${labels.instance} is down` };
    const answer = await fetch(`${origin}/api/v2/alerts`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify([{ labels, annotations, generatorURL, ...more }]),
    });
    if (!answer.ok) throw new Error(await answer.text());
  };

  beforeAll(async () => {
    outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
    folder = await createTempFolder();
    const group = await call("POST", "/groups", { name: "ops", path: "ops" });
    project = (await call("POST", "/projects", { name: "web", namespace_id: group.id })).id;
    await call("PUT", `/projects/${project}/incident_management_settings`, { create_issue: true });
    const integrate = (name: string, type: string) =>
      call("POST", `/projects/${project}/alert_management_http_integrations`, { name, type });
    const ways = {
      bearer: await integrate("Bearer", "prometheus"),
      basic: await integrate("Basic", "http"),
      credentials: await integrate("Credentials", "prometheus"),
    };
    const file = join(folder.path, "alertmanager.yml");
    await Bun.write(file, configuration(outpost.origin, ways));
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const command = [
      ...[binary, `--config.file=${file}`, `--storage.path=${join(folder.path, "data")}`],
      ...[`--web.listen-address=127.0.0.1:${port}`, "--cluster.listen-address="],
    ];
    alertmanager = Bun.spawn(command, { stdio: ["ignore", "ignore", "ignore"] });
    await until(
      "Alertmanager is ready",
      async () => (await fetch(`${origin}/-/ready`).catch(() => undefined))?.ok === true,
      waitMsMax,
    );
  }, 180_000);

  afterAll(async () => {
    alertmanager?.kill("SIGKILL");
    await alertmanager?.exited;
    await outpost?.[Symbol.asyncDispose]();
    await folder?.remove();
  });

  test.each(["bearer", "basic", "credentials"])(
    "fires, repeats and resolves with its key as %s",
    async (way) => {
      const labels = { alertname: `Down ${way}`, instance: `db-${way}`, severity: "page", way };
      const startsAt = new Date(Date.now() - 5_000).toISOString();
      await fire(labels, { startsAt });
      const query = `search=db-${way}`;
      await until("the alert is there", async () => (await alerts(query)).length === 1, waitMsMax);
      const [fired] = await alerts(query);
      expect(await details(fired)).toMatchObject({
        title: `db-${way} is down`,
        severity: "high",
        status: "triggered",
        monitoring_tool: "Prometheus",
        started_at: startsAt,
        ended_at: null,
        metric_query: "up == 0",
        issue_iid: expect.any(Number),
        details: { "labels.alertname": `Down ${way}`, status: "firing", endsAt: "0001-01-01T00:00:00Z" },
      });
      await until("it came again", async () => (await details(fired)).event_count >= 2, waitMsMax);
      await fire(labels, { startsAt, endsAt: new Date().toISOString() });
      await until("it is over", async () => (await details(fired)).status === "resolved", waitMsMax);
      const over = await details(fired);
      expect(over.ended_at).toBeString();
      expect((await alerts(query)).length).toBe(1);
      expect(await call("GET", `/projects/${project}/issues/${over.issue_iid}`)).toMatchObject({
        issue_type: "incident",
        state: "closed",
        closed_by: { username: "alert-bot" },
      });
    },
    180_000,
  );

  test("never sees its keys in the log", () => {
    expect(outpost.stderr()).toContain("/alerts/notify");
    expect(outpost.stderr()).not.toMatch(/[\da-f]{32}/);
  });
});
