/** The projects that the lists of a group hold. */

import { Bitmap, type IdSet } from "../../../store/index.ts";
import { projectsSharedWith } from "../../core/access/index.ts";
import { selfAndAncestors, selfAndDescendants } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { GroupRecord } from "../groups/records.ts";
import { projectsIn } from "../projects/index.ts";

/** Ids of the projects of a group (groups-and-projects 2.5). */
export function projectsOfGroup(
  context: Context,
  { id }: GroupRecord,
  wanted: {
    readonly with_shared?: boolean;
    readonly include_subgroups?: boolean;
    readonly include_ancestor_groups?: boolean;
  },
): IdSet {
  const { store } = context;
  const places = new Set([id]);
  if (wanted.include_subgroups === true) for (const below of selfAndDescendants(store, id)) places.add(below);
  if (wanted.include_ancestor_groups === true) for (const above of selfAndAncestors(store, id)) places.add(above.id);
  const own = projectsIn(store, places);
  return wanted.with_shared === false ? own : own.or(Bitmap.of(projectsSharedWith(context, id)));
}
