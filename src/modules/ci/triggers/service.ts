import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid, notFoundLowerCase, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type DateTime, dayMs, toCalendarDate, toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { DeletedUser } from "../../core/users/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { type TriggerRecord, triggers } from "./records.ts";
import type { NewTrigger, TriggerChange } from "./schema.ts";

const tokenPrefix = "glptt-";
const tokenRandomLength = 20;
/** The number of characters of a token that users other than its owner see. */
const shownLength = 4;

/** The beginning of a trigger's token, without the prefix. */
export function shortTokenOf({ token }: Pick<TriggerRecord, "token">): string {
  return token.slice(tokenPrefix.length, tokenPrefix.length + shownLength);
}

/** `GET /projects/:id/triggers`, by id. */
export function listTriggers(store: Store, { id }: ProjectRecord, page: PageRequest): Page<TriggerRecord> {
  const where = [{ index: "project_id", key: id } as const];
  return store.page(triggers, { where, order: "id", descending: false, page });
}

/** Throws 404 for an unknown trigger, and for one of another project. */
export function getTrigger(store: Store, project: ProjectRecord, id: number): TriggerRecord {
  const trigger = store.of(triggers).get(id);
  if (trigger === undefined || trigger.project_id !== project.id) throw notFoundLowerCase();
  return trigger;
}

const longestLifeDays = 365;

/** Throws 400 for a token that would live too long. */
function requireNearExpiry(expiresAt: DateTime | null | undefined, now: number): void {
  const limit = toCalendarDate(now + longestLifeDays * dayMs);
  if (expiresAt == null || expiresAt < limit) return;
  throw invalid(`400 Bad request - ${JSON.stringify({ expires_at: [`must be before ${limit}`] })}`);
}

/** Throws 400. */
export function createTrigger(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  wanted: NewTrigger,
): TriggerRecord {
  requireNearExpiry(wanted.expires_at, context.clock.now());
  return context.store.transact((tx) => insertTrigger(tx, context, caller, project, wanted));
}

export function insertTrigger(
  tx: Transaction,
  { clock, randomness }: Pick<Context, "clock" | "randomness">,
  { user }: SignedInCaller,
  project: ProjectRecord,
  { description, expires_at = null }: NewTrigger,
): TriggerRecord {
  const now = toDateTime(clock.now());
  return tx.insert(triggers, {
    id: tx.nextId("triggers"),
    project_id: project.id,
    token: `${tokenPrefix}${randomness.token(tokenRandomLength)}`,
    description,
    owner_id: user.id,
    created_at: now,
    updated_at: now,
    last_used: null,
    expires_at,
  });
}

/** `PUT …/triggers/:trigger_id`. Throws 403 for all but its owner, even for administrators. */
export function updateTrigger(
  { store, clock }: Context,
  { user }: SignedInCaller,
  trigger: TriggerRecord,
  { description = trigger.description }: TriggerChange,
): TriggerRecord {
  if (trigger.owner_id !== user.id) {
    throw forbidden("The current user is not authorized to update the pipeline trigger token");
  }
  if (description === trigger.description) return trigger;
  const updated_at = toDateTime(clock.now());
  return store.transact((tx) => tx.update(triggers, { ...trigger, description, updated_at }));
}

/** `DELETE …/triggers/:trigger_id`: its pipelines stay. Throws 412. */
export function deleteTrigger(store: Store, trigger: TriggerRecord, unmodifiedSince: DateTime | undefined): void {
  requireUnmodified(trigger, unmodifiedSince);
  store.transact((tx) => tx.remove(triggers, trigger.id));
}

/** The tokens of a deleted user create no pipelines any more. */
export function removeTriggersOf(tx: Transaction, { store }: Context, { user, budget }: DeletedUser): void {
  budget.spend((limit) => removeFirst(tx, triggers, store.of(triggers).by.owner_id.find(user.id), limit));
}
