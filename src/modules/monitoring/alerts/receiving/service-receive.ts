import { timingSafeEqual } from "node:crypto";
import { bearerOf, passwordOf } from "../../../../domain/authorization.ts";
import { Failure, invalid } from "../../../../domain/failure.ts";
import { findProjectByPath } from "../../../core/namespaces/index.ts";
import { servicePlaceOf, WriteQuota } from "../../../core/users/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import type { RawRequest } from "../../../kernel/raw-request.ts";
import { integrationsOf, isActive } from "../integrations/service.ts";
import { isMetrics, readPayload } from "../payload/index.ts";
import { type AlertIntegrationRecord, alertIntegrations, type IntegrationType } from "../records.ts";
import { AlertRate } from "./rate.ts";
import { type IngestResult, ingestAlerts } from "./service-ingestion.ts";

/** The key by which a receiver finds its integration: an identifier, or a type on the deprecated paths. */
export type Endpoint = { readonly identifier: string } | { readonly type: IntegrationType };

/**
 * A request at a receiver (alerts A.2): 404 for an unknown project, 400 for a body that is no payload, 403 or, for the
 * metrics format, 401 without an active integration, 401 for a wrong key, 429, 400 for a payload that is of no use.
 */
export async function receiveAlerts(
  context: Context,
  projectPath: string,
  endpoint: Endpoint,
  raw: RawRequest,
  baseUrl: string,
): Promise<IngestResult> {
  const project = findReceivingProject(context, projectPath);
  const payload = readPayload(await raw.bytes());
  if (payload === undefined) throw unusable();
  const admit = () => {
    const candidates = candidatesFor(context, findReceivingProject(context, projectPath), endpoint);
    if (candidates.length === 0) throw new Failure(isMetrics(payload) ? "unauthenticated" : "forbidden", {});
    const integration = withKey(candidates, raw);
    if (integration === undefined) throw new Failure("unauthenticated", {});
    return integration;
  };
  const integration = admit();
  context.get(AlertRate).count(project.id);
  context.get(WriteQuota).enter(servicePlaceOf(context.store, project));
  return ingestAlerts(context, { project, integration, confirm: admit, baseUrl }, payload);
}

/** True when the request carries the key of an active integration of the endpoint. */
export function isKeySent(context: Context, projectPath: string, endpoint: Endpoint, head: Headed): boolean {
  const project = findProjectByPath(context.store, projectPath);
  return project !== undefined && withKey(candidatesFor(context, project, endpoint), head) !== undefined;
}

type Headed = Pick<RawRequest, "header">;

function withKey(candidates: readonly AlertIntegrationRecord[], head: Headed): AlertIntegrationRecord | undefined {
  const authorization = head.header("authorization");
  const key = bearerOf(authorization) ?? passwordOf(authorization);
  return candidates.find(({ token }) => key !== undefined && isSame(token, key));
}

/** 400 for a body that is no payload, or that is of no use. */
export function unusable(): Failure {
  return invalid("400 Bad Request");
}

/** Finds the project whatever the case of the path; private ones, too. Throws 404. */
function findReceivingProject({ store }: Context, path: string): ProjectRecord {
  const project = findProjectByPath(store, path);
  if (project === undefined) throw new Failure("not_found", {});
  return project;
}

/** Active integrations that the request may be meant for. */
function candidatesFor(context: Context, project: ProjectRecord, endpoint: Endpoint): AlertIntegrationRecord[] {
  const { store } = context;
  const all = "type" in endpoint ? integrationsOf(store, project).filter(({ type }) => type === endpoint.type) : [];
  if ("identifier" in endpoint) {
    const id = store.of(alertIntegrations).by.endpoint.find(endpoint.identifier);
    const named = id === undefined ? undefined : store.of(alertIntegrations).get(id);
    if (named?.project_id === project.id) all.push(named);
  }
  return all.filter((integration) => isActive(context, project, integration));
}

/** Compares in a time that does not depend on where the texts differ. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Bun.SHA256.hash(one), Bun.SHA256.hash(other));
}
