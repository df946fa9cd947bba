import type { AccessLevel } from "../../../domain/access-level.ts";
import { groupId, projectId } from "../../../domain/parameters.ts";
import type { Operation } from "../../kernel/operation.ts";
import { type InGroup, type InProject, inGroup, inProject } from "./who.ts";

/** Groups or projects, for operations that both have. */
export interface SourceKind {
  readonly noun: "group" | "project";
  /** `/groups/:id` or `/projects/:id`. */
  readonly path: string;
  readonly id: ReturnType<typeof groupId>;
  /** Somebody with this level there; see `inGroup`. */
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
