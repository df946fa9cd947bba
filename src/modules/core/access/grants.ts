/** The levels that a user has in all groups and projects, in one structure. */

import { type AccessLevel, accessLevels, lowerLevel } from "../../../domain/access-level.ts";
import { spend } from "../../../domain/work-budget.ts";
import type { CalendarDate } from "../../../lib/datetime.ts";
import { Bitmap, type IdSet, type Store } from "../../../store/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { namespaces } from "../../groups-and-projects/namespaces-api/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import { type GroupLinkRecord, groupLinks } from "../../groups-and-projects/shares/records.ts";
import { isExpired, memberships } from "../../members/members/records.ts";

/** The work for one group of a user's grants, in steps. */
const groupSteps = 60;

/** The levels of one user through memberships, everywhere, on one day. Administrators' rights are no part of them. */
export interface Grants {
  readonly day: CalendarDate;
  /** Group → effective level: direct, inherited and invited. */
  readonly groups: ReadonlyMap<number, AccessLevel>;
  /** Project → level, without what comes from the project's group. */
  readonly projects: ReadonlyMap<number, AccessLevel>;
  /** Groups above something that the user is a member of: they may be seen, and nothing more. */
  readonly above: ReadonlySet<number>;
  /** Level → the projects with at least that, made when first asked for and updated with changes of projects. */
  readonly projectsWith: Map<AccessLevel, Bitmap>;
}

/** Works out a user's grants from the rows that name the user, and those of the groups that were invited elsewhere. */
export function grantsOf(store: Store, userId: number, day: CalendarDate): Grants {
  const inGroups = new Map<number, AccessLevel>();
  const inProjects = new Map<number, AccessLevel>();
  const rows = [...store.of(memberships).by.user_id.find(userId)]
    .map((id) => store.of(memberships).get(id))
    .filter((row) => row !== undefined)
    .filter((row) => row.state === "active" && !isExpired(row, day))
    // The highest levels first: a group below is walked again only for a higher level than it has.
    .sort((left, right) => right.access_level - left.access_level);
  for (const row of rows) {
    if (row.source_type === "group") grantBelow(store, inGroups, row.source_id, row.access_level);
    else grant(inProjects, row.source_id, row.access_level);
  }
  // Shares are not passed on: only memberships, direct and inherited, make a user a member of an invited group.
  const shares: { readonly link: GroupLinkRecord; readonly level: AccessLevel }[] = [];
  for (const [groupId, level] of inGroups) {
    if (level < accessLevels.guest) continue;
    for (const linkId of store.of(groupLinks).by.group_id.find(groupId)) {
      const link = store.of(groupLinks).get(linkId);
      if (link !== undefined && !isExpired(link, day)) {
        shares.push({ link, level: lowerLevel(level, link.group_access) });
      }
    }
  }
  for (const { link, level } of shares.sort((left, right) => right.level - left.level)) {
    if (link.source_type === "group") grantBelow(store, inGroups, link.source_id, level);
    else grant(inProjects, link.source_id, level);
  }
  const above = groupsAbove(store, inGroups, inProjects);
  return { day, groups: inGroups, projects: inProjects, above, projectsWith: new Map() };
}

/** The projects with at least this level; not to be changed. */
export function projectsWith(store: Store, grants: Grants, level: AccessLevel): IdSet {
  const known = grants.projectsWith.get(level);
  if (known !== undefined) return known;
  const found = new Bitmap();
  for (const [groupId, held] of grants.groups) {
    if (held < Math.max(level, accessLevels.guest)) continue;
    for (const id of store.of(projects).by.namespace_id.find(groupId) ?? []) found.add(id);
  }
  for (const [projectId, held] of grants.projects) if (held >= level) found.add(projectId);
  grants.projectsWith.set(level, found);
  return found;
}

/** Updates cached sets after a project came, went, or moved to another namespace. */
export function recordProject(grants: Grants, projectId: number, namespaceId: number | undefined): void {
  for (const [level, found] of grants.projectsWith) {
    const held = namespaceId === undefined ? 0 : levelInProject(grants, projectId, namespaceId);
    if (held >= level && held > 0) found.add(projectId);
    else found.delete(projectId);
  }
}

export function levelInProject(grants: Grants, projectId: number, namespaceId: number): AccessLevel {
  const direct = grants.projects.get(projectId) ?? accessLevels.none;
  const inherited = grants.groups.get(namespaceId) ?? accessLevels.none;
  // Minimal access opens the group itself and nothing below it.
  return inherited > direct && inherited >= accessLevels.guest ? inherited : direct;
}

function grant(levels: Map<number, AccessLevel>, id: number, level: AccessLevel): void {
  if ((levels.get(id) ?? accessLevels.none) < level) levels.set(id, level);
}

/** Gives a level in a group and in all below it; where there is as much already, all below has it too. */
function grantBelow(store: Store, levels: Map<number, AccessLevel>, groupId: number, level: AccessLevel): void {
  const waiting = [groupId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if ((levels.get(id) ?? accessLevels.none) >= level) continue;
    spend(groupSteps);
    levels.set(id, level);
    if (level >= accessLevels.guest) waiting.push(...store.of(groups).by.parent_id.find(id));
  }
}

function groupsAbove(
  store: Store,
  inGroups: ReadonlyMap<number, AccessLevel>,
  inProjects: ReadonlyMap<number, AccessLevel>,
): ReadonlySet<number> {
  const above = new Set<number>();
  const climb = (from: number | null | undefined) => {
    let id = from;
    while (id !== null && id !== undefined && !above.has(id)) {
      if (!inGroups.has(id)) above.add(id);
      id = store.of(namespaces).get(id)?.parent_id;
    }
  };
  for (const id of inGroups.keys()) climb(store.of(groups).get(id)?.parent_id);
  for (const id of inProjects.keys()) climb(store.of(projects).get(id)?.namespace_id);
  return above;
}
