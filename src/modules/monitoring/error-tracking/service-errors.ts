import { notFound } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Condition, Store } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import {
  type ErrorEventRecord,
  type ErrorStatus,
  errorEvents,
  errorKey,
  type TrackedErrorRecord,
  trackedErrors,
} from "./records.ts";
import type { ListErrors } from "./schema.ts";
import { getSetting } from "./service-settings.ts";

/** `GET …/errors`, by index alone. Throws 404 for a project without a setting. */
export function listErrors(
  { store }: Context,
  project: ProjectRecord,
  { status = "unresolved", sort = "last_seen", query = "" }: ListErrors,
  page: PageRequest,
): Page<TrackedErrorRecord> {
  getSetting(store, project);
  const where: Condition<typeof trackedErrors.indexes>[] = [{ index: "project_id", key: project.id }];
  if (status !== "all") where.push({ index: "status", key: status });
  if (query.trim() !== "") where.push({ index: "words", contains: [query.trim()] });
  return store.page(trackedErrors, { where, order: sort, descending: true, page });
}

/** Throws 404 for a project without a setting, and for what is no error of it. */
export function getError(store: Store, project: ProjectRecord, errorId: number): TrackedErrorRecord {
  getSetting(store, project);
  const error = store.of(trackedErrors).get(errorId);
  if (error === undefined || error.project_id !== project.id) throw notFound("Error");
  return error;
}

/** Throws as `getError`. */
export function updateErrorStatus(
  { store }: Context,
  project: ProjectRecord,
  errorId: number,
  status: ErrorStatus,
): TrackedErrorRecord {
  const error = getError(store, project, errorId);
  return error.status === status ? error : store.transact((tx) => tx.update(trackedErrors, { ...error, status }));
}

/** The latest first, by when they happened; the youngest of one time. */
export function listEvents(store: Store, error: TrackedErrorRecord, page: PageRequest): Page<ErrorEventRecord> {
  return store.logOf(errorEvents).latest(errorKey(error.id), page);
}

/** The first of `listEvents`: an error has one from its beginning. */
export function getLatestEvent(store: Store, error: TrackedErrorRecord): ErrorEventRecord {
  const [latest] = listEvents(store, error, { kind: "offset", page: 1, perPage: 1 }).items;
  return latest ?? getEvent(store, error.last_event_id);
}

export function getEvent(store: Store, id: number): ErrorEventRecord {
  const event = store.logOf(errorEvents).get(id);
  if (event === undefined) throw new Error(`error event ${id} is named and not there`);
  return event;
}
