import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { conflict, forbidden, invalid, notFound, requireUnmodified, unchanged } from "../../../domain/failure.ts";
import { type SourceRef, sourceOf } from "../../../domain/source.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import type { Context } from "../../kernel/context.ts";
import { removeRecord, updateRecord } from "../../kernel/record-events.ts";
import { unlinkEverywhere } from "../pending-unlinks/index.ts";
import { findSubscription, removeSubscriptionsTo, upsertSubscription } from "../subscriptions/index.ts";
import { labelEvents } from "./events.ts";
import { type LabelRecord, labels } from "./records.ts";
import type { ChangeLabel, CreateLabel } from "./schema.ts";
import { labelSourcesOf } from "./service-find.ts";
import { removePrioritiesOf, updatePriority } from "./service-priorities.ts";
import { findLabel, insertLabel } from "./service-sets.ts";
import { cleanTitle, validateAttributes } from "./validation.ts";

/** A text of digits is an id first, then a title; a number is an id only. Throws 404. */
export function getLabel(store: Store, sources: readonly SourceRef[], idOrTitle: string | number): LabelRecord {
  const byId = /^\d+$/.test(String(idOrTitle)) ? store.of(labels).get(Number(idOrTitle)) : undefined;
  if (byId !== undefined && sources.some((each) => isSame(each, sourceOf(byId)))) return byId;
  if (typeof idOrTitle === "number") throw notFound("Label");
  return getLabelByTitle(store, sources, idOrTitle);
}

/** Throws 404. */
export function getLabelByTitle(store: Store, sources: readonly SourceRef[], title: string): LabelRecord {
  const id = findLabel(store, sources, title);
  const label = id === undefined ? undefined : store.of(labels).get(id);
  if (label === undefined) throw notFound("Label");
  return label;
}

/** Throws 409 for a title that a label has there already, and 400 with attribute errors. */
export function createLabel(context: Context, caller: Caller, source: SourceRef, params: CreateLabel): LabelRecord {
  const { store } = context;
  requireFreeTitle(store, source, params.name);
  const attributes = validateAttributes(params);
  requireValidPriority(params.priority);
  return store.transact((tx) => {
    const label = insertLabel(tx, context, caller, source, {
      ...attributes,
      description: params.description ?? null,
      ...archivedOf(params),
    });
    if (source.type === "project") updatePriority(tx, store, label.id, source.id, params.priority ?? null);
    return label;
  });
}

/**
 * Changes a label as it is seen in a project or group. A label of a group above takes the right to change it there,
 * but for its priority in the project. Throws 403, 409 and 400.
 */
export function updateLabel(
  context: Context,
  caller: Caller,
  place: SourceRef,
  label: LabelRecord,
  { new_name, color, description, priority, archived }: ChangeLabel,
): LabelRecord {
  const { store } = context;
  requireLabelManager(context, caller, place);
  const changesItself = [new_name, color, description, archived].some((each) => each !== undefined);
  const source = sourceOf(label);
  if (changesItself) requireLabelManager(context, caller, source);
  if (new_name !== undefined && cleanTitle(new_name) !== label.title) requireFreeTitle(store, source, new_name, label);
  const after = {
    ...label,
    ...validateAttributes({ name: new_name ?? label.title, color: color ?? label.color, description }),
    description: description === undefined ? label.description : description,
    ...archivedOf({ archived }),
  };
  requireValidPriority(priority);
  return store.transact((tx) => {
    if (place.type === "project" && priority !== undefined) updatePriority(tx, store, label.id, place.id, priority);
    if (Bun.deepEquals(after, label)) return label;
    return updateRecord(tx, context, caller, labelEvents, { ...after, updated_at: toDateTime(context.clock.now()) });
  });
}

/** Throws 403 and 412. Issues and epics that carry it lose it. */
export function deleteLabel(
  context: Context,
  caller: Caller,
  place: SourceRef,
  label: LabelRecord,
  unmodifiedSince: string | undefined,
): void {
  requireLabelManager(context, caller, place);
  requireLabelManager(context, caller, sourceOf(label));
  requireUnmodified(label, unmodifiedSince);
  context.store.transact((tx) => {
    unlinkEverywhere(tx, context, "label", label.id, null);
    removeLabel(tx, context, caller, label.id);
  });
}

/** `subscribe` and `unsubscribe`. Throws 304 when it is so already. */
export function updateLabelSubscription(
  { store }: Context,
  { user }: SignedInCaller,
  { id }: LabelRecord,
  wanted: boolean,
): void {
  const subject = { type: "Label", id } as const;
  if ((findSubscription(store, subject, user.id) ?? false) === wanted) throw unchanged();
  store.transact((tx) => upsertSubscription(tx, store, subject, user.id, wanted));
}

/** The label itself, with all that is known of it but for what carries it. */
export function removeLabel(tx: Transaction, context: Context, caller: Caller, id: number): void {
  const { store } = context;
  removePrioritiesOf(tx, store, "label_id", id);
  removeSubscriptionsTo(tx, store, { type: "Label", id });
  removeRecord(tx, context, caller, labelEvents, id);
}

/** Planners, reporters and above manage labels. */
export function requireLabelManager(context: Context, { user }: Caller, source: SourceRef): void {
  if (context.get(Access).levelIn(user, source) < accessLevels.planner) throw forbidden();
}

function requireFreeTitle(store: Store, source: SourceRef, name: string, itself?: LabelRecord): void {
  const holder = findLabel(store, labelSourcesOf(store, source), cleanTitle(name));
  if (holder !== undefined && holder !== itself?.id) throw conflict("Label already exists");
}

function archivedOf({ archived }: { readonly archived?: boolean | undefined }): Partial<Pick<LabelRecord, "archived">> {
  return archived === undefined ? {} : { archived };
}

function requireValidPriority(priority: number | null | undefined): void {
  if (priority === undefined || priority === null || priority >= 0) return;
  throw invalid({ priority: ["must be greater than or equal to 0"] });
}

function isSame(one: SourceRef, other: SourceRef): boolean {
  return one.type === other.type && one.id === other.id;
}
