/** The test alert of an integration. */

import { forbidden } from "../../../../domain/failure.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { type IngestResult, ingestAlerts } from "../receiving/service-ingestion.ts";
import { readPayloadObject } from "./json-parameter.ts";
import { getIntegration, isActive } from "./service.ts";

/** Does what the receiver does, without a key (alerts B). Throws 404; 400 for an invalid payload; 403 if inactive. */
export async function sendTestAlert(
  context: Context,
  project: ProjectRecord,
  params: { readonly integration_id: number; readonly payload: unknown },
  baseUrl: string,
): Promise<IngestResult> {
  getIntegration(context, project, params.integration_id);
  const payload = readPayloadObject(params.payload);
  const confirm = () => {
    const integration = getIntegration(context, project, params.integration_id);
    if (!isActive(context, project, integration)) throw forbidden();
    return integration;
  };
  return ingestAlerts(context, { project, integration: confirm(), confirm, baseUrl }, payload);
}
