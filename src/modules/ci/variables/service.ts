import type { SignedInCaller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { conflict, notFound, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, removeRecord, updateRecord } from "../../kernel/record-events.ts";
import { recordVariableCreated, recordVariableDeleted, recordVariableUpdated } from "./audit.ts";
import { ciVariableEvents } from "./events.ts";
import { type CiVariableRecord, ciVariables, type VariableSource, variableKey, variableSourceKey } from "./records.ts";
import type { NewVariable, VariableChange, VariableInPath } from "./schema.ts";
import { requireValidVariable } from "./validation.ts";

const nouns = { project: "Variable", group: "GroupVariable", instance: "InstanceVariable" } as const;
const everyEnvironment = "*";

/** `GET …/variables`, in the order in which they were made. */
export function listVariables(store: Store, source: VariableSource, page: PageRequest): Page<CiVariableRecord> {
  const where = [{ index: "source", key: variableSourceKey(source) } as const];
  return store.page(ciVariables, { where, order: "id", descending: false, page });
}

/** The variable of this key, and of this scope where a filter says so. Throws 404, 409 where there are several (ci-variables 3). */
export function getVariable(store: Store, source: VariableSource, { key, filter }: VariableInPath): CiVariableRecord {
  const documents = store.of(ciVariables);
  const scope = filter?.environment_scope;
  const found = [...documents.by.key.find(variableKey(source, key))]
    .map((id) => documents.get(id))
    .filter((variable) => variable !== undefined)
    .filter(({ environment_scope }) => scope === undefined || environment_scope === scope);
  if (found.length > 1) {
    throw conflict("There are multiple variables with provided parameters. Please use 'filter[environment_scope]'");
  }
  const [variable] = found;
  if (variable === undefined) throw notFound(nouns[source.source_type]);
  return variable;
}

/** As `getVariable`; of several of a group, the first one. */
export function getVariableToUpdate(store: Store, source: VariableSource, params: VariableInPath): CiVariableRecord {
  const [first] = store.of(ciVariables).by.key.find(variableKey(source, params.key));
  const variable = first === undefined ? undefined : store.of(ciVariables).get(first);
  const isFirst = source.source_type === "group" && params.filter === undefined && variable !== undefined;
  return isFirst ? variable : getVariable(store, source, params);
}

/** `POST …/variables`. Throws 400. */
export function createVariable(
  context: Context,
  caller: SignedInCaller,
  source: VariableSource,
  { key, value, masked_and_hidden: hidden = false, ...wanted }: NewVariable,
): CiVariableRecord {
  const { store, clock } = context;
  const now = toDateTime(clock.now());
  return store.transact((tx) => {
    const variable: CiVariableRecord = {
      ...source,
      ...{ id: tx.nextId("ci_variables"), key: key.trim(), value, hidden },
      variable_type: wanted.variable_type ?? "env_var",
      protected: wanted.protected ?? false,
      masked: hidden || (wanted.masked ?? false),
      raw: wanted.raw ?? false,
      environment_scope: scopeFor(context, source, wanted.environment_scope) ?? everyEnvironment,
      description: wanted.description ?? null,
      ...{ created_at: now, updated_at: now },
    };
    requireValidVariable(store, variable);
    const created = insertRecord(tx, context, caller, ciVariableEvents, variable);
    recordVariableCreated(tx, context, caller, created);
    return created;
  });
}

/** `PUT …/variables/:key`. Without a change, nothing is written. Throws 400. */
export function updateVariable(
  context: Context,
  caller: SignedInCaller,
  before: CiVariableRecord,
  { value = before.value, description = before.description, environment_scope, ...wanted }: VariableChange,
): CiVariableRecord {
  const { store, clock } = context;
  const { variable_type = before.variable_type, masked = before.masked, raw = before.raw } = wanted;
  const changed: CiVariableRecord = {
    ...before,
    ...{ value, description, variable_type, masked, raw },
    protected: wanted.protected ?? before.protected,
    environment_scope: scopeFor(context, before, environment_scope) ?? before.environment_scope,
  };
  requireValidVariable(store, changed, before);
  const isSame = (Object.keys(changed) as (keyof CiVariableRecord)[]).every((each) => changed[each] === before[each]);
  if (isSame) return before;
  return store.transact((tx) => {
    const after = updateRecord(tx, context, caller, ciVariableEvents, {
      ...changed,
      updated_at: toDateTime(clock.now()),
    });
    recordVariableUpdated(tx, context, caller, before, after);
    return after;
  });
}

/** `DELETE …/variables/:key`. Throws 412. */
export function deleteVariable(
  context: Context,
  caller: SignedInCaller,
  variable: CiVariableRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireUnmodified(variable, unmodifiedSince);
  context.store.transact((tx) => {
    removeRecord(tx, context, caller, ciVariableEvents, variable.id);
    recordVariableDeleted(tx, context, caller, variable);
  });
}

/** The scope that a request gives; undefined where it gives none, and where the edition has none for this source. */
function scopeFor(
  { edition }: Context,
  { source_type }: VariableSource,
  scope: string | undefined,
): string | undefined {
  const isKnown = source_type === "project" || (source_type === "group" && includesTier(edition, "premium"));
  return isKnown ? scope?.trim() : undefined;
}
