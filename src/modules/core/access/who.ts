/** The values of `who` for operations below a group or project. */

import type { AccessLevel } from "../../../domain/access-level.ts";
import { groupId, projectId } from "../../../domain/parameters.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { InSource, Operation } from "../../kernel/operation.ts";

export type InGroup<A extends boolean = boolean> = InSource<"group", GroupRecord, A>;
export type InProject<A extends boolean = boolean> = InSource<"project", ProjectRecord, A>;

interface InOptions<A extends boolean> {
  readonly anonymous?: A;
  readonly asksForLogin?: true;
  readonly readers?: boolean;
  readonly late?: true;
  readonly first?: true;
}

/** `inGroup(accessLevels.owner)`; `inGroup(accessLevels.none, { anonymous: true })` for all who see it. */
export function inGroup<A extends boolean = false>(level: AccessLevel, options: InOptions<A> = {}): InGroup<A> {
  return { in: "group", ...inSource(level, options) };
}

export function inProject<A extends boolean = false>(level: AccessLevel, options: InOptions<A> = {}): InProject<A> {
  return { in: "project", ...inSource(level, options) };
}

function inSource<A extends boolean>(
  level: AccessLevel,
  { anonymous, asksForLogin, readers, late, first }: InOptions<A>,
) {
  return {
    level,
    isForReaders: readers === true,
    isAnonymousWelcome: (anonymous ?? false) as A,
    asksForLogin: asksForLogin === true,
    isLevelCheckedLate: late === true,
    isCheckedFirst: first === true,
  };
}

/** Groups or projects, for operations that both have. */
export interface SourceKind {
  readonly noun: "group" | "project";
  /** `/groups/:id` or `/projects/:id`. */
  readonly path: string;
  readonly id: ReturnType<typeof groupId>;
  /** A user with this level there; see `inGroup`. */
  who(
    levels: { readonly group: AccessLevel; readonly project: AccessLevel },
    options?: { late?: true },
  ): InGroup<false> | InProject<false>;
}

const kinds: readonly SourceKind[] = [
  { noun: "group", path: "/groups/:id", id: groupId(), who: ({ group }, options) => inGroup(group, options) },
  {
    noun: "project",
    path: "/projects/:id",
    id: projectId(),
    who: ({ project }, options) => inProject(project, options),
  },
];

/** The same operation in groups and in projects. */
export function forGroupsAndProjects(declare: (kind: SourceKind) => Operation): Operation[] {
  return kinds.map(declare);
}
