import type { Static } from "@sinclair/typebox";
import type { BackupFolder } from "../../../modules/admin/backups/index.ts";
import { failedJobId } from "./demo-server.ts";
import type { Recorder } from "./recorder.ts";

const project = "/projects/2";

/** Records calls about alerts, error tracking, the sandbox and background jobs. */
export async function recordServices(recorder: Recorder): Promise<void> {
  await recordAlerts(recorder);
  await recordErrors(recorder);
  await recorder.call("PUT /-/sandbox/checkpoints/:name", "/-/sandbox/checkpoints/before-the-test");
  await recorder.call("GET /-/sandbox/checkpoints", "/-/sandbox/checkpoints");
  await recorder.call("POST /-/sandbox/fixtures", "/-/sandbox/fixtures", {
    body: { groups: [{ path: "tryout", projects: [{ path: "station", labels: ["bug"] }] }] },
  });
  await recorder.call("POST /-/sandbox/faults", "/-/sandbox/faults", {
    body: { match: { method: "POST", route: "/projects/:id/issues" }, effect: { apply_then_drop: true }, times: 1 },
  });
  await recorder.call("GET /-/sandbox/faults", "/-/sandbox/faults");
  await recorder.call("GET /-/sandbox/faults/:id", "/-/sandbox/faults/1");
  await recorder.call("PUT /-/sandbox/clock", "/-/sandbox/clock", { body: { advance: "PT1S" } });
  await recorder.call("GET /-/sandbox/clock", "/-/sandbox/clock");
  await recordOutgoing(recorder);
  await recorder.api("POST /projects/:id/repository_storage_moves", `${project}/repository_storage_moves`, {
    body: {},
  });
  await recorder.call("GET /-/jobs", "/-/jobs");
  await recorder.call("GET /-/attention", "/-/attention");
  await recorder.call("POST /-/jobs/:id/retry", `/-/jobs/${failedJobId}/retry`);
  await recordBackup(recorder);
  await recorder.call("GET /-/features/:name", "/-/features/gust_alarms?user=root");
  // Asks whether a guest of another project may read this one.
  const question = "user_id=17&method=GET&path=%2Fprojects%2F9";
  await recorder.call("GET /-/explanation", `/-/explanation?${question}`);
}

/** Makes an archive in the background, and verifies it once it is listed. */
async function recordBackup(recorder: Recorder): Promise<void> {
  await recorder.call("POST /-/backups", "/-/backups");
  for (;;) {
    const { json } = await recorder.call("GET /-/backups", "/-/backups");
    const [archive] = (json as Static<typeof BackupFolder>).archives;
    if (archive !== undefined) {
      await recorder.call("POST /-/backups/:name/verify", `/-/backups/${archive.name}/verify`);
      return;
    }
    await Bun.sleep(20);
  }
}

/** Makes the server call a spam service about a snippet, and lists the recorded call. */
async function recordOutgoing(recorder: Recorder): Promise<void> {
  const settings = (body: object) => recorder.api("PUT /application/settings", "/application/settings", { body });
  await settings({ akismet_enabled: true, akismet_api_key: "0123456789ab" });
  const files = [{ file_path: "wind.txt", content: "12 m/s" }];
  const snippet = { title: "Wind at the roof station", visibility: "public", files };
  await recorder.api("POST /snippets", "/snippets", { body: snippet });
  await settings({ akismet_enabled: false, akismet_api_key: "" });
  await recorder.call("GET /-/sandbox/outgoing", "/-/sandbox/outgoing");
  // No route has this name, so the list is empty: durations and request ids differ between builds.
  await recorder.call("GET /-/sandbox/requests", "/-/sandbox/requests?route=none");
}

async function recordAlerts(recorder: Recorder): Promise<void> {
  const own = `${project}/alert_management_http_integrations`;
  for (const type of ["http", "prometheus"]) {
    const body = { name: `Roof station ${type}`, type };
    const made = await recorder.api("POST /projects/:id/alert_management_http_integrations", own, { body });
    const alert = {
      headers: { Authorization: `Bearer ${made.field("token")}` },
      body: { title: "The station is silent" },
    };
    const operation = `POST /*project_path${type === "http" ? "" : "/prometheus"}/alerts/notify`;
    const { pathname } = new URL(made.field("url"));
    await recorder.call(`${operation}/:name/:endpoint_identifier`, pathname, alert);
    await recorder.call(operation, `/skylark/website${type === "http" ? "" : "/prometheus"}/alerts/notify`, alert);
    await recorder.api(
      "POST /projects/:id/alert_management_http_integrations/:integration_id/test_alert",
      `${own}/${made.field("id")}/test_alert`,
      { body: { payload: alert.body } },
    );
  }
}

async function recordErrors(recorder: Recorder): Promise<void> {
  const tracking = `${project}/error_tracking`;
  await recorder.api("PUT /projects/:id/error_tracking/settings", `${tracking}/settings`, {
    body: { active: true, integrated: true },
  });
  const made = await recorder.api("POST /projects/:id/error_tracking/client_keys", `${tracking}/client_keys`);
  const collector = "/error_tracking/collector/api";
  const headers = { "X-Sentry-Auth": `Sentry sentry_version=7, sentry_key=${made.field("public_key")}` };
  const event_id = "0123456789abcdef0123456789abcdef";
  const event = {
    ...{ event_id, platform: "python", timestamp: "2026-10-01T08:55:00Z" },
    exception: { values: [{ type: "ZeroDivisionError", value: "division by zero" }] },
  };
  await recorder.api(`POST ${collector}/:id/store`, `${collector}/2/store`, { headers, body: event });
  const lines = [{ event_id }, { type: "event" }, event].map((line) => JSON.stringify(line));
  await recorder.api(`POST ${collector}/:id/envelope`, `${collector}/2/envelope`, { headers, body: lines.join("\n") });
}
