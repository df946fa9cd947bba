import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { requireUnmodified } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, removeRecord, updateRecord } from "../../kernel/record-events.ts";
import { type FlagTarget, withSetting, withTargets } from "./apply-update.ts";
import { featureEvents } from "./events.ts";
import { closedGates, type Gates } from "./gates.ts";
import { licensedFeatures } from "./licensed-features.ts";
import { type FeatureRecord, features } from "./records.ts";
import { refusal } from "./refusal.ts";
import type { SetFeature } from "./schema.ts";
import { type Targets, targetsOf } from "./targets.ts";

const nameLengthMax = 255;

/** `POST /features/:name` (feature-flags 3 to 6). Throws 400; then nothing is changed, and no flag made. */
export function updateFeature(
  context: Context,
  caller: SignedInCaller,
  params: Static<typeof SetFeature>,
): FeatureRecord {
  const { store } = context;
  if (params.name.length > nameLengthMax) {
    throw refusal(`name is too long (maximum is ${nameLengthMax} characters)`);
  }
  if (params.force !== true) requireUnlicensedName(context, params.name);
  const targets = targetsOf(context, params);
  const before = findFeature(store, params.name);
  const gates = changedGates(before ?? closedGates, params, targets);
  const now = toDateTime(context.clock.now());
  const record = store.transact((tx) =>
    before === undefined
      ? insertRecord(tx, context, caller, featureEvents, {
          id: tx.nextId("features"),
          name: params.name,
          ...gates,
          created_at: now,
          updated_at: now,
        })
      : updateRecord(tx, context, caller, featureEvents, { ...before, ...gates, updated_at: now }),
  );
  logChange(context, caller, "set", record.name, { ...targets, value: params.value, key: params.key });
  return record;
}

/** `DELETE /features/:name`: succeeds for an unset flag, too. Throws 412. */
export function deleteFeature(
  context: Context,
  caller: SignedInCaller,
  name: string,
  unmodifiedSince: DateTime | undefined,
): void {
  const feature = findFeature(context.store, name);
  if (feature === undefined) return;
  requireUnmodified(feature, unmodifiedSince);
  context.store.transact((tx) => removeRecord(tx, context, caller, featureEvents, feature.id));
  logChange(context, caller, "delete", name, {});
}

export function findFeature(store: Store, name: string): FeatureRecord | undefined {
  const documents = store.of(features);
  const id = documents.by.name.find(name);
  return id === undefined ? undefined : documents.get(id);
}

function changedGates(
  before: Gates,
  { name, value, key }: Static<typeof SetFeature>,
  targets: Targets | undefined,
): Gates {
  if (targets === undefined) return withSetting(before, { name, value, key });
  const all: FlagTarget[] = [
    ...targets.groups.map((id) => ({ gate: "groups", id }) as const),
    ...targets.actors.map((id) => ({ gate: "actors", id }) as const),
  ];
  return withTargets(before, { name, value, key }, all);
}

/** Refuses the name of a licensed feature in editions that have it. */
function requireUnlicensedName({ edition }: Context, name: string): void {
  if (!includesTier(edition, "premium") || !licensedFeatures.has(name)) return;
  throw refusal(
    `The '${name}' is a licensed feature name, and thus it cannot be used as a feature flag name. Use \`rails console\` to set this feature flag state.`,
  );
}

function logChange({ log }: Context, { user }: SignedInCaller, action: string, name: string, details: object): void {
  log.info({ feature: name, action, ...details, user_id: user.id }, "feature flag");
}
