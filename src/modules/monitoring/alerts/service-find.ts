import { notFound } from "../../../domain/failure.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type AlertRecord, alertKey, alerts } from "./records.ts";

/** The alert of this number in the project. Throws 404. */
export function getAlert({ store }: Context, project: ProjectRecord, iid: number): AlertRecord {
  const id = store.of(alerts).by.iid.find(alertKey(project.id, iid));
  const alert = id === undefined ? undefined : store.of(alerts).get(id);
  if (alert === undefined) throw notFound("Alert");
  return alert;
}
