/** The users, groups and projects that an update of a flag names. */

import type { Static } from "@sinclair/typebox";
import { includesTier } from "../../../domain/edition.ts";
import type { Store } from "../../../store/index.ts";
import {
  findGroupByPath,
  findNamespaceByPath,
  findProjectByPath,
  fullPathOf,
  projectPathOf,
} from "../../core/namespaces/index.ts";
import { findUserByUsername } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { snippets } from "../../repositories/snippets/records.ts";
import { refusal } from "./refusal.ts";
import type { SetFeature } from "./schema.ts";

/** The kinds of targets of a flag, in the order of the parameters. */
export const targetKinds = ["feature_group", "user", "group", "namespace", "project", "repository"] as const;

type Parameters = Pick<Static<typeof SetFeature>, (typeof targetKinds)[number]>;

/** The actors and groups that a flag is set for; undefined: everybody. */
export interface Targets {
  /** Ids as `User:7` (feature-flags 4). */
  readonly actors: readonly string[];
  readonly groups: readonly string[];
}

/**
 * The targets that the parameters name. Throws 400 for the first one that does not exist. An empty list sets the flag
 * for no target, not for all.
 */
export function targetsOf(context: Context, params: Parameters): Targets | undefined {
  if (targetKinds.every((kind) => params[kind] === undefined)) return undefined;
  const actors = targetKinds.flatMap((kind) => {
    if (kind === "feature_group") return [];
    return (params[kind] ?? []).map((name) => {
      const id = finders[kind](context, name);
      if (id === undefined) throw refusal(`${name} is not found!`);
      return id;
    });
  });
  const groups = params.feature_group ? [params.feature_group] : [];
  return { actors: [...new Set(actors)], groups };
}

type Finder = (context: Context, name: string) => string | undefined;

const finders: Readonly<Record<Exclude<(typeof targetKinds)[number], "feature_group">, Finder>> = {
  user({ store }, name) {
    const user = findUserByUsername(store, name);
    return user && `User:${user.id}`;
  },
  group({ store }, path) {
    const group = findGroupByPath(store, path);
    return group && `Group:${group.id}`;
  },
  namespace({ store }, path) {
    const namespace = findNamespaceByPath(store, path);
    if (namespace === undefined) return undefined;
    return namespace.kind === "group" ? `Group:${namespace.id}` : `Namespaces::UserNamespace:${namespace.id}`;
  },
  project({ store }, path) {
    const project = findProjectByPath(store, path);
    return project && `Project:${project.id}`;
  },
  repository: findRepository,
};

/**
 * The repositories of projects and wikis have the paths of their owners; groups have wikis from premium on. Those of
 * snippets have numbers, `snippets/21` and `bank/ledger/snippets/21`.
 */
function findRepository({ store, edition }: Context, given: string): string | undefined {
  const path = given.replace(/\.git$/i, "");
  const owner = path.replace(/\.wiki$/i, "");
  const suffix = owner === path ? "" : ".wiki";
  const project = findProjectByPath(store, path) ?? findProjectByPath(store, owner);
  if (project !== undefined) {
    const isItself = findProjectByPath(store, path) === project;
    return `Repository:${projectPathOf(store, project)}${isItself ? "" : suffix}`;
  }
  const snippet = /^(?:(.+)\/)?snippets\/(\d+)$/i.exec(path);
  if (snippet !== null) return findSnippetRepository(store, snippet[1], Number(snippet[2]));
  if (suffix === "" || !includesTier(edition, "premium")) return undefined;
  const group = findGroupByPath(store, owner);
  return group && `Repository:${fullPathOf(store, group.id)}${suffix}`;
}

function findSnippetRepository(store: Store, projectPath: string | undefined, id: number): string | undefined {
  const project = projectPath === undefined ? undefined : findProjectByPath(store, projectPath);
  const snippet = store.of(snippets).get(id);
  if (snippet === undefined || (snippet.project_id ?? undefined) !== project?.id) return undefined;
  if (project === undefined) return projectPath === undefined ? `Repository:snippets/${id}` : undefined;
  return `Repository:${projectPathOf(store, project)}/snippets/${id}`;
}
