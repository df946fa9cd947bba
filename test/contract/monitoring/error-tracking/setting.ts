import { accessLevels } from "../../../../src/domain/access-level.ts";
import { type Collector, collectorOf, eventOf } from "../../../support/fixtures/error-tracking.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import type { CallOptions, Json, World } from "../../../support/fixtures/world.ts";

/** A group with those who read and change errors, and the ways to report and read. */
export async function setErrorScene(world: World) {
  const places = placesOf(world);
  const group = places.group({ path: "ops" });
  const reporter = await world.user();
  places.member(group, reporter.id, accessLevels.reporter);
  const developer = await world.user();
  places.member(group, developer.id, accessLevels.developer);
  const errorsOf = (id: number) => `/projects/${id}/error_tracking/errors`;
  const get = (path: string, query = {}) => world.call("GET", path, { token: reporter.token, query });
  const list = async (id: number, query: Json = { status: "all" }): Promise<Json[]> =>
    (await get(errorsOf(id), query)).body;

  /** A project of its own, with what was reported to it in this order. */
  async function reported(...events: readonly Json[]) {
    const project = places.project(group.id);
    const collector = await collectorOf(world, project.id);
    for (const event of events) {
      const { status, text } = await collector.report(event);
      if (status !== 200) throw new Error(`not taken: ${status} ${text}`);
    }
    return { ...project, collector, path: errorsOf(project.id) };
  }

  return {
    places,
    group,
    reporter,
    developer,
    errorsOf,
    get,
    list,
    reported,
    /** The path of the only error of what was reported. */
    async only(...events: readonly Json[]): Promise<string> {
      const { id, path } = await reported(...events);
      const [error, ...others] = await list(id);
      if (others.length > 0) throw new Error("more than one error");
      return `${path}/${error.id}`;
    },
    set: (path: string, json: Json) => world.call("PUT", path, { token: developer.token, json }),
  };
}

export const exceptions = (...values: Json[]) => ({ platform: "python", exception: { values } });

/** The ways to send something to a collector, and what comes of it. */
export function senderTo(world: World, collector: Collector, projectId: number) {
  /** The number of events in all errors. */
  async function stored(): Promise<number> {
    const { body } = await world.get(`/projects/${projectId}/error_tracking/errors`, { query: { status: "all" } });
    return body.reduce((sum: number, { count }: Json) => sum + count, 0);
  }
  /** Sends a report. Returns the answer and the number of new events. */
  async function sent(path: string, options: CallOptions): Promise<{ status: number; body: Json; kept: number }> {
    const before = await stored();
    const { status, body } = await world.call("POST", path, options);
    return { status, body, kept: (await stored()) - before };
  }
  return {
    stored,
    sent,
    toStore: (options: CallOptions) => sent(collector.store, { headers: collector.headers, ...options }),
    toEnvelope: (raw: Uint8Array<ArrayBuffer> | string, headers = {}) =>
      sent(collector.envelope, { raw, headers: { ...collector.headers, ...headers } }),
  };
}

export const event = eventOf();
export const eventText = JSON.stringify(event);
export const accepted = { status: 200, body: {}, kept: 1 };
export const unreadable = {
  status: 400,
  body: { message: "400 Bad request - Failed to parse sentry request" },
  kept: 0,
};
