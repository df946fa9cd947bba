import { clientKeys } from "../../src/modules/monitoring/error-tracking/index.ts";
import { type Answer, type CallOptions, type Json, rootToken, type World } from "./world.ts";

/** A place to report errors to, as a client library sees it. */
export interface Collector {
  /** Below `/api/v4`, as a library makes it of the DSN: with a slash at the end. */
  readonly store: string;
  readonly envelope: string;
  readonly publicKey: string;
  /** `X-Sentry-Auth` with the public key. */
  readonly headers: Readonly<Record<string, string>>;
  /** One event to `store`. */
  report(event: Json, options?: CallOptions): Promise<Answer>;
}

/** Turns the error tracking of a project on. */
export async function collectorOf(world: World, projectId: number): Promise<Collector> {
  const path = `/projects/${projectId}/error_tracking/settings`;
  const json = { active: true, integrated: true };
  const { status, text } = await world.call("PUT", path, { token: rootToken, json });
  if (status !== 200) throw new Error(`no error tracking: ${status} ${text}`);
  const documents = world.store.of(clientKeys);
  const [keyId = 0] = documents.by.project_id.find(projectId);
  const publicKey = documents.get(keyId)?.public_key ?? "";
  const base = `/error_tracking/collector/api/${projectId}`;
  const headers = { "X-Sentry-Auth": `Sentry sentry_version=7, sentry_client=test/1, sentry_key=${publicKey}` };
  const store = `${base}/store/`;
  return {
    store,
    envelope: `${base}/envelope/`,
    publicKey,
    headers,
    report: (event, options = {}) =>
      world.call("POST", store, {
        raw: JSON.stringify(event),
        ...options,
        headers: { ...headers, ...options.headers },
      }),
  };
}

/** An event with one exception, as a library for Python reports it. */
export function eventOf(attributes: Json = {}, exception: Json = {}): Json {
  return {
    event_id: "0123456789abcdef0123456789abcdef",
    platform: "python",
    timestamp: "2024-02-03T04:05:06Z",
    exception: {
      values: [
        {
          type: "ZeroDivisionError",
          value: "division by zero",
          stacktrace: {
            frames: [
              { function: "main", module: "app" },
              { function: "run", module: "app.jobs" },
            ],
          },
          ...exception,
        },
      ],
    },
    ...attributes,
  };
}

/** Lines of an envelope; texts and bytes stay as they are, all else becomes JSON. */
export function envelopeOf(...lines: readonly Json[]): Uint8Array<ArrayBuffer> {
  const parts = lines.flatMap((line) => [
    typeof line === "string" || line instanceof Uint8Array ? line : JSON.stringify(line),
    "\n",
  ]);
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));
}
