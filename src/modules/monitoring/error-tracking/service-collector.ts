import { notFound } from "../../../domain/failure.ts";
import type { StoredBlob, Transaction } from "../../../store/index.ts";
import { getProjectForAnyCaller } from "../../core/access/index.ts";
import { Quotas } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { RawRequest } from "../../kernel/raw-request.ts";
import { validateEvent } from "./event-shape.ts";
import { type ErrorOccurrence, occurrenceOf } from "./occurrence.ts";
import {
  clientKeys,
  errorEvents,
  errorPayloads,
  errorTrackingSettings,
  groupKey,
  type TrackedErrorRecord,
  trackedErrors,
} from "./records.ts";
import { unreadable } from "./refusals.ts";
import { isCollecting } from "./service-settings.ts";
import { trimmed } from "./trimming.ts";

/** Larger payloads are files of their own: the newest entries of a log are in memory. */
const inlineBytesMax = 16 * 1024;

/** Large payloads that stay of each error: the oldest one and the newest ones. */
const largePayloadsMax = 100;

/** The project and key of a report. */
export interface Address {
  readonly projectId: string;
  /** undefined: none was given; `""`: one that cannot be right. */
  readonly publicKey: string | undefined;
}

/** The public key of a report: in the query, or in the header of the client libraries, which has had two names. */
export function publicKeyOf(inQuery: string | undefined, raw: Pick<RawRequest, "header">): string | undefined {
  if (inQuery !== undefined && inQuery.trim() !== "") return inQuery;
  const authorization = raw.header("authorization") ?? "";
  const header = raw.header("x-sentry-auth") || (/^sentry\s/i.test(authorization) ? authorization : "");
  return header.trim() === "" ? undefined : (/sentry_key\s*=\s*(\w+)/.exec(header)?.[1] ?? "");
}

/** True when events may be reported with the key, whichever project it belongs to. */
export function isActiveKey({ store }: Context, publicKey: string | undefined): boolean {
  const id = store.of(clientKeys).by.public_key.find(publicKey ?? "");
  return id !== undefined && store.of(clientKeys).get(id)?.active === true;
}

/** Throws 404 and 400 in the order of error-tracking C, steps 1 to 4. */
export function getReportedProject(context: Context, { projectId, publicKey }: Address): ProjectRecord {
  const { store } = context;
  const project = getProjectForAnyCaller(context, projectId);
  if (!isCollecting(store.of(errorTrackingSettings).get(project.id))) throw notFound();
  if (publicKey === undefined) throw unreadable();
  const keyId = store.of(clientKeys).by.public_key.find(publicKey);
  const key = keyId === undefined ? undefined : store.of(clientKeys).get(keyId);
  if (key === undefined || !key.active || key.project_id !== project.id) throw notFound();
  return project;
}

/**
 * Keeps a reported event, without the middle of very long lists, and returns its id; it is on disk when that resolves.
 * `admit` is asked in the transaction, since much may have happened while the body came. Throws 400 for what is no event, and 507.
 */
export async function collectEvent(context: Context, payload: unknown, admit: () => ProjectRecord): Promise<number> {
  const { store } = context;
  const event = trimmed(validateEvent(context, payload));
  const occurrence = occurrenceOf(event, context.clock.now());
  const json = JSON.stringify(event);
  if (Buffer.byteLength(json) <= inlineBytesMax) {
    return store.transact((tx) => insertEvent(tx, context, admit(), occurrence, { payload: json }));
  }
  const stored = await context.get(Quotas).writeBlob(`project ${admit().id}`, [new TextEncoder().encode(json)]);
  try {
    return store.transact((tx) => insertEvent(tx, context, admit(), occurrence, { blob: stored }));
  } finally {
    stored.release();
  }
}

/** One more event of its error, which its first one makes. Returns the id of the event. */
export function insertEvent(
  tx: Transaction,
  { store }: Context,
  project: ProjectRecord,
  { name, actor, platform, ...event }: ErrorOccurrence,
  { payload, blob }: { readonly payload?: string; readonly blob?: Pick<StoredBlob, "hash" | "size"> },
): number {
  const id = tx.nextId("error-events");
  const group = { project_id: project.id, name, actor, platform };
  const last = { description: event.description, last_seen: event.occurred_at, last_event_id: id };
  const known = store.of(trackedErrors).by.group.find(groupKey(group));
  const before = known === undefined ? undefined : store.of(trackedErrors).get(known);
  const error: TrackedErrorRecord =
    before === undefined
      ? tx.insert(trackedErrors, {
          id: tx.nextId("tracked-errors"),
          ...group,
          ...last,
          status: "unresolved",
          count: 1,
          first_seen: event.occurred_at,
          first_event_id: id,
        })
      : tx.update(trackedErrors, { ...before, ...last, count: before.count + 1 });
  tx.append(errorEvents, { id, error_id: error.id, ...event, ...(payload === undefined ? {} : { payload }) });
  if (blob === undefined) return id;
  tx.insert(errorPayloads, { id, project_id: project.id, error_id: error.id, blob: blob.hash, size: blob.size });
  const kept = store.of(errorPayloads).by.error_id.find(error.id);
  // An error shows its first event and its newest ones.
  const [, oldest] = kept.size > largePayloadsMax ? kept : [];
  if (oldest !== undefined) tx.remove(errorPayloads, oldest);
  return id;
}
