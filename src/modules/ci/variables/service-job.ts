/** The stored variables that a job gets (ci-variables 5). */

import { spend } from "../../../domain/work-budget.ts";
import type { Store } from "../../../store/index.ts";
import { groupsAbove } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import { type CiVariableRecord, ciVariables, theInstance, type VariableSource, variableSourceKey } from "./records.ts";

/** A pipeline, or one of its jobs. */
export interface VariableReader {
  readonly project: ProjectRecord;
  /** Its branch or tag is protected. */
  readonly isProtected: boolean;
  /** undefined for a job without an environment, and for a pipeline. */
  readonly environment?: string | undefined;
}

/** Each key once: variables of the project count more than those of its groups, the nearest first, and of the instance. */
export function listVariablesFor(store: Store, reader: VariableReader): CiVariableRecord[] {
  const { project } = reader;
  const groups = groupsAbove(store, project.namespace_id).map(
    ({ id }): VariableSource => ({ source_type: "group", source_id: id }),
  );
  const sources: VariableSource[] = [{ source_type: "project", source_id: project.id }, ...groups, theInstance];
  const byKey = new Map<string, CiVariableRecord>();
  for (const source of sources) {
    const own = new Map<string, CiVariableRecord>();
    for (const variable of listSuitable(store, source, reader)) {
      const other = own.get(variable.key);
      if (other === undefined || isCloser(variable, other, reader.environment)) own.set(variable.key, variable);
    }
    for (const [key, variable] of own) if (!byKey.has(key)) byKey.set(key, variable);
  }
  return [...byKey.values()];
}

function listSuitable(
  store: Store,
  source: VariableSource,
  { isProtected, environment }: VariableReader,
): CiVariableRecord[] {
  const documents = store.of(ciVariables);
  const ids = documents.by.source.find(variableSourceKey(source));
  spend(ids.size);
  return [...ids]
    .map((id) => documents.get(id))
    .filter((variable) => variable !== undefined)
    .filter((variable) => !variable.protected || isProtected)
    .filter(({ environment_scope }) => matchesScope(environment_scope, environment));
}

/** Whether an environment is in a scope: `*` stands for any text, and everything else for itself. */
export function matchesScope(scope: string, environment: string | undefined): boolean {
  if (scope === "*") return true;
  if (environment === undefined) return false;
  const [first = "", ...rest] = scope.split("*");
  if (rest.length === 0) return scope === environment;
  const last = rest.pop() as string;
  if (!environment.startsWith(first) || environment.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = environment.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return environment.endsWith(last) && environment.length - last.length >= at;
}

/** An exact name counts more than a pattern, and a pattern with a longer literal part more than another one. */
function isCloser(one: CiVariableRecord, other: CiVariableRecord, environment: string | undefined): boolean {
  const closeness = ({ environment_scope }: CiVariableRecord) =>
    environment_scope === environment ? Number.POSITIVE_INFINITY : environment_scope.replaceAll("*", "").length;
  return closeness(one) > closeness(other);
}
