import { includesTier } from "../../../../domain/edition.ts";
import { Failure, invalid, notFound } from "../../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../../domain/page.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import type { Randomness } from "../../../../lib/randomness.ts";
import { valuesIn } from "../../../../lib/text/json-values.ts";
import { exceedsLength } from "../../../../lib/text/text.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { payloadBytesMax } from "../payload/index.ts";
import { type AlertIntegrationRecord, alertIntegrations, type IntegrationType } from "../records.ts";
import { isOnCallActive } from "../settings/service.ts";
import { readJsonObject } from "./json-parameter.ts";
import { type GivenMapping, mappingsOf } from "./mappings.ts";

const nameLengthMax = 255;

/** Integrations of a project: each may have a megabyte of sample, and the receivers go through all of one type. */
const integrationsMax = 1_000;

/** Values of a sample. A monitoring tool sends some hundred at most. */
const exampleValuesMax = 10_000;

/** The parameters of an integration in a request. */
export interface IntegrationParameters {
  readonly name?: string | null;
  readonly type?: IntegrationType;
  readonly active?: boolean;
  readonly payload_example?: unknown;
  readonly payload_attribute_mappings?: readonly GivenMapping[];
}

/** All integrations of a project, by id; they are few. */
export function integrationsOf(store: Store, project: ProjectRecord): AlertIntegrationRecord[] {
  const documents = store.of(alertIntegrations);
  return [...documents.by.project_id.find(project.id)]
    .sort((one, other) => one - other)
    .map((id) => documents.get(id))
    .filter((integration) => integration !== undefined);
}

export function listIntegrations(
  { store }: Context,
  project: ProjectRecord,
  page: PageRequest,
): Page<AlertIntegrationRecord> {
  const ids = [...store.of(alertIntegrations).by.project_id.find(project.id)];
  return store.page(alertIntegrations, { where: [{ ids }], order: "id", descending: false, page });
}

/** Throws 404 for one that is not there, or in another project. */
export function getIntegration({ store }: Context, project: ProjectRecord, id: number): AlertIntegrationRecord {
  const integration = store.of(alertIntegrations).get(id);
  if (integration?.project_id !== project.id) throw notFound("Alert Integration");
  return integration;
}

/** Whether its receiver takes anything: never while another product takes the alerts (alerts E). */
export function isActive(context: Context, project: ProjectRecord, { active }: AlertIntegrationRecord): boolean {
  return active && !isOnCallActive(context, project);
}

/** `POST …/alert_management_http_integrations` (alerts B). Throws 400, for one too many of the project, too. */
export function createIntegration(
  context: Context,
  project: ProjectRecord,
  params: IntegrationParameters,
): AlertIntegrationRecord {
  const { type = "http", active = true } = params;
  const attributes = { type, active, ...writtenOf(params) };
  return context.store.transact((tx) => {
    requireValidIntegration(context, project, params, attributes);
    if (context.store.of(alertIntegrations).by.project_id.find(project.id).size >= integrationsMax) {
      throw invalid({ base: [`Maximum number of alert integrations (${integrationsMax}) exceeded`] });
    }
    return insertIntegration(tx, context, project, { ...attributes, name: params.name ?? "" });
  });
}

/** Adds an integration with an address and a key of its own. */
export function insertIntegration(
  tx: Transaction,
  { clock, randomness }: Pick<Context, "clock" | "randomness">,
  project: ProjectRecord,
  attributes: Pick<AlertIntegrationRecord, "name" | "type" | "active"> & Partial<AlertIntegrationRecord>,
): AlertIntegrationRecord {
  const now = toDateTime(clock.now());
  return tx.insert(alertIntegrations, {
    payload_example: "{}",
    payload_attribute_mappings: [],
    ...attributes,
    id: tx.nextId("alert_integrations"),
    project_id: project.id,
    endpoint_identifier: hexDigits(randomness, 16),
    token: hexDigits(randomness, 32),
    created_at: now,
    updated_at: now,
  });
}

/** `PUT …/:integration_id` (alerts B). Throws 404 and 400. */
export function updateIntegration(
  context: Context,
  project: ProjectRecord,
  id: number,
  params: IntegrationParameters,
): AlertIntegrationRecord {
  const { store, clock } = context;
  const written = writtenOf(params);
  return store.transact((tx) => {
    const before = getIntegration(context, project, id);
    const { type = before.type, active = before.active } = params;
    const name = params.name === undefined ? before.name : (params.name ?? "");
    requireValidIntegration(context, project, { name, active: params.active }, { type }, before);
    const updated_at = toDateTime(clock.now());
    return tx.update(alertIntegrations, { ...before, ...written, name, type, active, updated_at });
  });
}

/** `POST …/:integration_id/reset_token`: the old key is worth nothing from now on. Throws 404. */
export function resetToken(context: Context, project: ProjectRecord, id: number): AlertIntegrationRecord {
  const { store, clock, randomness } = context;
  return store.transact((tx) => {
    const before = getIntegration(context, project, id);
    const token = hexDigits(randomness, 32);
    return tx.update(alertIntegrations, { ...before, token, updated_at: toDateTime(clock.now()) });
  });
}

/** The sample and the mappings in a request. */
function writtenOf({ payload_example, payload_attribute_mappings }: IntegrationParameters) {
  return {
    ...(payload_example === undefined ? {} : { payload_example: exampleOf(payload_example) }),
    ...(payload_attribute_mappings === undefined
      ? {}
      : { payload_attribute_mappings: mappingsOf(payload_attribute_mappings) }),
  };
}

/** The sample in its stored form, no larger than a receiver accepts, and with few values. Throws 400. */
function exampleOf(given: unknown): string {
  const example = readJsonObject("payload_example", given ?? {});
  const json = JSON.stringify(example);
  if (Buffer.byteLength(json) > payloadBytesMax || valuesIn(example) > exampleValuesMax) {
    throw new Failure("parameters", { error: "payload_example is invalid" });
  }
  return json;
}

/** Throws 400 for a name that will not do, one too many of its type, and for one that is to be active beside E. */
function requireValidIntegration(
  context: Context,
  project: ProjectRecord,
  { name, active }: { readonly name?: string | null; readonly active?: boolean | undefined },
  { type }: Pick<AlertIntegrationRecord, "type">,
  itself?: AlertIntegrationRecord,
): void {
  const { store, edition } = context;
  if ((name ?? "").trim() === "") throw invalid({ name: ["can't be blank"] });
  if (exceedsLength(name, nameLengthMax)) {
    throw invalid({ name: [`is too long (maximum is ${nameLengthMax} characters)`] });
  }
  if (active === true && isOnCallActive(context, project)) {
    throw invalid({ active: ["cannot be true while the on-call integration is enabled"] });
  }
  if (includesTier(edition, "premium") || type === itself?.type) return;
  if (integrationsOf(store, project).some((other) => other.type === type && other.id !== itself?.id)) {
    throw invalid("Multiple integrations of a single type are not supported for this project");
  }
}

/** Four bits of a cryptographic source in each. */
function hexDigits(randomness: Randomness, count: number): string {
  return Bun.SHA256.hash(randomness.token(40), "hex").slice(0, count);
}
