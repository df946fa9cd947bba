/** The three kinds of things whose repositories move. */

import { type TSchema, Type } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Edition } from "../../../domain/edition.ts";
import { notFound } from "../../../domain/failure.ts";
import { groupId, idInPath, projectId } from "../../../domain/parameters.ts";
import type { RepositoryKind } from "../../../git/index.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { getGroup, getProject } from "../../core/access/index.ts";
import { fullPathOf, presentProjectIdentity, updateProjectRecord } from "../../core/namespaces/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { BasicSnippet, presentBasicSnippet } from "../snippets/index.ts";
import { snippets } from "../snippets/records.ts";
import type { MovedKind } from "./records.ts";

/** The owner of a repository that can be moved, as far as a move needs to know it. */
export interface Container {
  readonly id: number;
  readonly repository_storage: string;
  /** Its repository must have files: one without them is lost. */
  readonly isFilled: boolean;
}

/** The differences between moves of projects, snippets and groups. */
export interface ContainerKind {
  readonly kind: MovedKind;
  readonly repository: RepositoryKind;
  /** The plural in paths. */
  readonly plural: string;
  readonly tier?: Edition;
  /** The path parameter `id`. */
  readonly idParameter: () => TSchema;
  readonly schema: TSchema;
  /** Throws 404. */
  get(context: Context, caller: SignedInCaller, id: string | number): Container;
  find(context: Context, id: number): Container | undefined;
  /** Returns at most `limit` ids of those on a storage, ascending, all above `after`. */
  idsOn(context: Context, storage: string, after: number, limit: number): readonly number[];
  present(id: number, view: View): unknown;
  /** The instant at which a repository is on its new storage. */
  switch(tx: Transaction, context: Context, id: number, storage: string, now: DateTime): void;
}

const nullableText = Type.Union([Type.String(), Type.Null()]);
const page = (perPage: number) => ({ kind: "offset", page: 1, perPage }) as const;

export const projectKind: ContainerKind = {
  kind: "project",
  repository: "project",
  plural: "projects",
  idParameter: projectId,
  schema: Type.Object(
    {
      id: Type.Integer(),
      description: nullableText,
      name: Type.String(),
      name_with_namespace: Type.String(),
      path: Type.String(),
      path_with_namespace: Type.String(),
      created_at: Type.String({ format: "date-time" }),
    },
    { $id: "MovedProject" },
  ),
  get: (context, caller, id) => containerOf(getProject(context, caller, id)),
  find({ store }, id) {
    const project = store.of(projects).get(id);
    return project === undefined ? undefined : containerOf(project);
  },
  idsOn({ store }, storage, after, limit) {
    const where = [
      { index: "repository_storage", key: storage },
      { index: "id", from: after + 1, to: undefined },
      { not: { index: "flag", key: "deletion accepted" } },
    ] as const;
    return store.page(projects, { where, order: "id", descending: false, page: page(limit) }).items.map(({ id }) => id);
  },
  present(id, view) {
    const project = view.context.store.of(projects).get(id);
    return project === undefined ? null : presentProjectIdentity(project, view);
  },
  switch(tx, { store }, id, repository_storage, updated_at) {
    const project = store.of(projects).get(id);
    if (project !== undefined) updateProjectRecord(tx, store, { ...project, repository_storage, updated_at });
  },
};

function containerOf(project: { id: number; repository_storage: string; default_branch: string | null }): Container {
  const { id, repository_storage, default_branch } = project;
  return { id, repository_storage, isFilled: default_branch !== null };
}

export const snippetKind: ContainerKind = {
  kind: "snippet",
  repository: "snippet",
  plural: "snippets",
  idParameter: () => idInPath("snippet id"),
  schema: BasicSnippet,
  get(context, _, id) {
    const snippet = snippetKind.find(context, Number(id));
    if (snippet === undefined) throw notFound("Snippet");
    return snippet;
  },
  find({ store }, id) {
    const snippet = store.of(snippets).get(id);
    if (snippet === undefined) return undefined;
    return { id, repository_storage: snippet.repository_storage, isFilled: snippet.files.length > 0 };
  },
  idsOn({ store }, storage, after, limit) {
    const where = [
      { index: "repository_storage", key: storage },
      { index: "id", from: after + 1, to: undefined },
    ] as const;
    return store.page(snippets, { where, order: "id", descending: false, page: page(limit) }).items.map(({ id }) => id);
  },
  present(id, view) {
    const snippet = view.context.store.of(snippets).get(id);
    return snippet === undefined ? null : presentBasicSnippet(snippet, view);
  },
  switch(tx, { store }, id, repository_storage) {
    const snippet = store.of(snippets).get(id);
    if (snippet !== undefined) tx.update(snippets, { ...snippet, repository_storage });
  },
};

/** The wikis of groups, whose pages no operation makes: a group without one is moved like any other. */
export const groupKind: ContainerKind = {
  kind: "group",
  repository: "group_wiki",
  plural: "groups",
  tier: "premium",
  idParameter: groupId,
  schema: Type.Object({ id: Type.Integer(), web_url: Type.String(), name: Type.String() }, { $id: "MovedGroup" }),
  get: (context, caller, id) => ({ ...getGroup(context, caller, id), isFilled: false }),
  find({ store }, id) {
    const group = store.of(groups).get(id);
    return group === undefined ? undefined : { id, repository_storage: group.repository_storage, isFilled: false };
  },
  idsOn({ store }, storage, after, limit) {
    const where = [
      { index: "repository_storage", key: storage },
      { index: "id", from: after + 1, to: undefined },
      { not: { index: "deletion", key: "accepted" } },
    ] as const;
    return store.page(groups, { where, order: "id", descending: false, page: page(limit) }).items.map(({ id }) => id);
  },
  present(id, { context: { store }, baseUrl }) {
    const group = store.of(groups).get(id);
    if (group === undefined) return null;
    return { id, web_url: `${baseUrl}/groups/${fullPathOf(store, id)}`, name: group.name };
  },
  switch(tx, { store }, id, repository_storage) {
    const group = store.of(groups).get(id);
    if (group !== undefined) tx.update(groups, { ...group, repository_storage });
  },
};

export const containerKinds: Readonly<Record<MovedKind, ContainerKind>> = {
  project: projectKind,
  snippet: snippetKind,
  group: groupKind,
};
