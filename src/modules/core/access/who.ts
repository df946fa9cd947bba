import type { AccessLevel } from "../../../domain/access-level.ts";
import type { InSource } from "../../kernel/operation.ts";
import type { GroupRecord, ProjectRecord } from "../namespaces/index.ts";

export type InGroup<A extends boolean = boolean> = InSource<"group", GroupRecord, A>;
export type InProject<A extends boolean = boolean> = InSource<"project", ProjectRecord, A>;

interface InOptions<A extends boolean> {
  readonly anonymous?: A;
  readonly late?: true;
  readonly first?: true;
}

/** `inGroup(accessLevels.owner)`; `inGroup(accessLevels.none, { anonymous: true })` for whoever sees it. */
export function inGroup<A extends boolean = false>(level: AccessLevel, options: InOptions<A> = {}): InGroup<A> {
  return { in: "group", ...inSource(level, options) };
}

export function inProject<A extends boolean = false>(level: AccessLevel, options: InOptions<A> = {}): InProject<A> {
  return { in: "project", ...inSource(level, options) };
}

function inSource<A extends boolean>(level: AccessLevel, { anonymous, late, first }: InOptions<A>) {
  return {
    level,
    isAnonymousWelcome: (anonymous ?? false) as A,
    isLevelCheckedLate: late === true,
    isCheckedFirst: first === true,
  };
}
