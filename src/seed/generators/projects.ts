import { dayMs } from "../../lib/datetime.ts";
import { findNamespace } from "../../modules/core/namespaces/index.ts";
import {
  changeOf,
  insertNamespaceOwner,
  recordProjectEvent,
} from "../../modules/groups-and-projects/projects/index.ts";
import { type ProjectRecord, projects } from "../../modules/groups-and-projects/projects/records.ts";
import type { Organisation, Person, SeededGroup } from "../organisation.ts";
import { type CastProject, castProjects, projectNames } from "../vocabulary/places.ts";

export function* seedProjects(organisation: Organisation): Generator<undefined> {
  const { from, until } = organisation;
  const random = organisation.random("projects");
  for (const [at, project] of castProjects.entries()) {
    addProject(organisation, project, from + (32 + at * 2.3) * dayMs);
    yield undefined;
  }
  const later = organisation.groups.filter(({ path, parent }) => parent !== undefined && !isOfCast(path));
  const wanted = later.length === 0 ? 0 : organisation.count(8, 0.85);
  const taken = new Set<string>();
  for (let at = 0; at < wanted; at += 1) {
    const group = later[Math.floor((at / wanted) * later.length)] as SeededGroup;
    const names = projectNames[group.topic];
    const [base, description] = names[at % names.length] as (typeof names)[number];
    const { name, path } = freeName(taken, group.path, base);
    const since = Math.min(group.since + random.integer(1, 60) * dayMs, until - 40 * dayMs);
    const visibility = group.record.visibility;
    const tags = [group.topic];
    addProject(organisation, { path, name, description, visibility, topic: group.topic, tags, weight: 1 }, since);
    yield undefined;
  }
}

const castPaths = new Set(castProjects.map(({ path }) => path.split("/", 1)[0]));

function isOfCast(path: string): boolean {
  return castPaths.has(path.split("/", 1)[0]) || path.startsWith("ledgerly");
}

function freeName(taken: Set<string>, group: string, base: string): { name: string; path: string } {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base} ${number}`;
    const path = `${group}/${name.toLowerCase().replaceAll(" ", "-")}`;
    if (taken.has(path)) continue;
    taken.add(path);
    return { name, path };
  }
}

function addProject(organisation: Organisation, project: CastProject, since: number): void {
  const { context, writing } = organisation;
  const now = organisation.at(since);
  const slash = project.path.lastIndexOf("/");
  const above = project.path.slice(0, slash);
  const group = organisation.groupAt(above);
  const founder = group?.founder ?? organisation.person(above);
  const namespace =
    group === undefined ? findNamespace(context.store, null, above) : { id: group.record.id, owner_id: null };
  if (namespace === undefined) throw new Error(`no namespace ${above}`);
  const record: ProjectRecord = writing.insert(projects, {
    id: writing.nextId("projects"),
    namespace_id: namespace.id,
    name: project.name,
    path: project.path.slice(slash + 1),
    description: project.description === "" ? null : project.description,
    visibility: project.visibility,
    creator_id: founder.user.id,
    archived: false,
    default_branch: null,
    topics: [...project.tags].sort(),
    settings: {},
    avatar: null,
    import_url: null,
    star_count: 0,
    runners_token: context.randomness.token(20),
    repository_storage: context.repositories.storageNames[0] as string,
    created_at: now,
    updated_at: now,
    last_activity_at: now,
  });
  if (namespace.owner_id !== null) {
    insertNamespaceOwner(writing, context, founder.caller, record, {
      ...namespace,
      kind: "user",
      name: "",
      path: above,
      parent_id: null,
    });
  }
  recordProjectEvent(writing, context, founder.caller, record, "project_created", {
    add: "project",
    custom_message: "Added project",
  });
  if (project.visibility !== "private" && record.id % 3 === 0)
    noteOlderVisibility(organisation, record, founder, since);
  const { path, topic, weight, archived = false, empty = false } = project;
  const seeded = {
    ...{ path, topic, weight, record, group, since, founder, isArchived: archived, isEmpty: empty },
    ...{
      company: path.split("/", 1)[0] as string,
      lastActivity: organisation.shown(since),
      stars: 0,
      titles: new Set<string>(),
    },
    ...{ roles: [], labelIds: [], milestones: [] },
  };
  organisation.add({ project: seeded });
}

/** Sets the fields of a project that depend on everything else: its stars, its last activity, and its archiving. */
export function* finishProjects(organisation: Organisation): Generator<undefined> {
  const { context, writing } = organisation;
  for (const project of organisation.projects) {
    const { founder, isArchived, stars, lastActivity } = project;
    const last_activity_at = organisation.exactly(lastActivity);
    const settled = { ...project.record, star_count: stars, last_activity_at, updated_at: last_activity_at };
    project.record = writing.update(projects, isArchived ? { ...settled, archived: true } : settled);
    if (isArchived) {
      const act = { custom_message: "Project archived" };
      recordProjectEvent(writing, context, founder.caller, project.record, "project_archived", act);
    }
    yield undefined;
  }
}

/** Adds an audit event for projects that were private at first. */
function noteOlderVisibility(organisation: Organisation, record: ProjectRecord, founder: Person, since: number): void {
  const { context, writing } = organisation;
  organisation.at(since + 20 * dayMs);
  const now = record.visibility === "public" ? "Public" : "Internal";
  const act = changeOf("visibility", "Private", now);
  recordProjectEvent(writing, context, founder.caller, record, "project_visibility_level_updated", act);
}
