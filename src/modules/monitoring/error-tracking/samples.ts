import type { SampleCall, SampleScene, Samples } from "../../kernel/sample.ts";

const event_id = "0123456789abcdef0123456789abcdef";
/** Of a new error each time. */
const newEvent = ({ fresh }: SampleScene) => ({
  ...{ event_id, platform: "python", transaction: fresh() },
  exception: { values: [{ type: "ZeroDivisionError", value: "division by zero" }] },
});
const base = "/projects/:id/error_tracking";

/** Turns error tracking on, and calls as a client with a key. */
async function asClient({ call, place }: SampleScene): Promise<SampleCall> {
  await call(`PUT ${base}/settings`);
  const key = (await call(`POST ${base}/client_keys`)).get("public_key");
  const headers = { "X-Sentry-Auth": `Sentry sentry_version=7, sentry_key=${key}` };
  return { path: { id: place.projectId }, headers };
}
const withError = async ({ call }: SampleScene) => {
  await call("POST /error_tracking/collector/api/:id/store");
  return {};
};
const onError = async (scene: SampleScene) => {
  await withError(scene);
  return { path: { error_id: (await scene.call(`GET ${base}/errors`)).get("0.id") } };
};
const turnOn = async ({ call }: SampleScene) => {
  await call(`PUT ${base}/settings`);
  return {};
};

export const errorTrackingSamples: Samples = {
  [`GET ${base}/settings`]: turnOn,
  [`PUT ${base}/settings`]: { json: { active: true, integrated: true } },
  [`PATCH ${base}/settings`]: { json: { active: false }, make: turnOn },
  [`GET ${base}/errors`]: withError,
  [`GET ${base}/errors/:error_id`]: onError,
  [`PUT ${base}/errors/:error_id`]: { json: { status: "resolved" }, make: onError },
  [`GET ${base}/errors/:error_id/events`]: onError,
  [`GET ${base}/errors/:error_id/events/latest`]: onError,
  "POST /error_tracking/collector/api/:id/store": async (scene) => ({
    ...(await asClient(scene)),
    json: newEvent(scene),
  }),
  "POST /error_tracking/collector/api/:id/envelope": async (scene) => ({
    ...(await asClient(scene)),
    raw: [{ event_id }, { type: "event" }, newEvent(scene)].map((line) => JSON.stringify(line)).join("\n"),
  }),
};
