/** The URLs of alerts and of their receivers. */

import { trimCharacters, trimEndCharacters } from "../../../lib/text/trim.ts";
import type { Store } from "../../../store/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { AlertIntegrationRecord, AlertRecord } from "./records.ts";

const slugLengthMax = 63;

/** The web address of an alert. */
export function alertUrl(store: Store, project: ProjectRecord, { iid }: AlertRecord, baseUrl: string): string {
  return `${baseUrl}/${projectPathOf(store, project)}/-/alert_management/${iid}/details`;
}

/** The address to which monitoring tools send; the name in it is for people (alerts B). */
export function receiverUrl(
  store: Store,
  project: ProjectRecord,
  { name, endpoint_identifier }: AlertIntegrationRecord,
  baseUrl: string,
): string {
  const path = projectPathOf(store, project);
  return `${baseUrl}/${path}/alerts/notify/${slugOf(name)}/${endpoint_identifier}.json`;
}

function slugOf(name: string): string {
  const whole = trimCharacters(name.toLowerCase().replace(/[^a-z0-9]/g, "-"), "-");
  const plain = trimEndCharacters(whole.slice(0, slugLengthMax), "-");
  return plain === "" ? "http-endpoint" : plain;
}
