import type { AccessLevel } from "../../src/domain/access-level.ts";
import {
  type AccessRequestRecord,
  accessRequests,
  type GroupLinkRecord,
  groupLinks,
  type MembershipRecord,
  memberships,
  type SourceRef,
} from "../../src/modules/core/access/index.ts";
import {
  type GroupRecord,
  groups,
  insertGroup,
  type ProjectRecord,
  projects,
} from "../../src/modules/core/namespaces/index.ts";
import { freshNumber } from "./fresh-number.ts";
import type { World } from "./world.ts";

type StoreAndClock = Pick<World, "store" | "clock">;

const freshName = (world: StoreAndClock) => `thing${freshNumber(world)}`;

export const groupRef = ({ id }: { id: number }): SourceRef => ({ type: "group", id });
export const projectRef = ({ id }: { id: number }): SourceRef => ({ type: "project", id });

const fileVersionOf = ({ clock }: StoreAndClock) => ({ created_at: clock.time(), updated_at: clock.time() });

const looksOf = (world: StoreAndClock) => ({
  visibility: "private" as const,
  settings: {},
  avatar: null,
  creator_id: null,
  runners_token: "registration",
  repository_storage: "default",
  ...fileVersionOf(world),
});

/** A group straight in the store, without a member; private unless said. */
export function putGroup(world: StoreAndClock, attributes: Partial<GroupRecord> = {}): GroupRecord {
  const name = attributes.path ?? freshName(world);
  return world.store.transact((tx) =>
    insertGroup(tx, { ...looksOf(world), name, path: name, parent_id: null, description: "", ...attributes }),
  );
}

/** A project straight in the store, without a member; private unless said. */
export function putProject(
  world: StoreAndClock,
  namespaceId: number,
  attributes: Partial<ProjectRecord> = {},
): ProjectRecord {
  const name = attributes.path ?? freshName(world);
  return world.store.transact((tx) =>
    tx.insert(projects, {
      ...looksOf(world),
      id: tx.nextId("projects"),
      namespace_id: namespaceId,
      name,
      path: name,
      description: null,
      archived: false,
      default_branch: null,
      topics: [],
      import_url: null,
      star_count: 0,
      last_activity_at: world.clock.time(),
      ...attributes,
    }),
  );
}

/** A membership straight in the store: no rule is asked, and no event written. */
export function putMember(
  world: StoreAndClock,
  source: SourceRef,
  userId: number,
  level: MembershipRecord["access_level"],
  attributes: Partial<MembershipRecord> = {},
): MembershipRecord {
  return world.store.transact((tx) =>
    tx.insert(memberships, {
      id: tx.nextId("memberships"),
      source_type: source.type,
      source_id: source.id,
      user_id: userId,
      access_level: level,
      state: "active",
      expires_at: null,
      created_by_id: null,
      ...fileVersionOf(world),
      ...attributes,
    }),
  );
}

/** A share straight in the store. */
export function putLink(
  world: StoreAndClock,
  source: SourceRef,
  groupId: number,
  level: GroupLinkRecord["group_access"],
  attributes: Partial<GroupLinkRecord> = {},
): GroupLinkRecord {
  return world.store.transact((tx) =>
    tx.insert(groupLinks, {
      id: tx.nextId("group_links"),
      source_type: source.type,
      source_id: source.id,
      group_id: groupId,
      group_access: level,
      expires_at: null,
      ...fileVersionOf(world),
      ...attributes,
    }),
  );
}

/** An access request straight in the store. */
export function putRequest(world: StoreAndClock, source: SourceRef, userId: number): AccessRequestRecord {
  return world.store.transact((tx) =>
    tx.insert(accessRequests, {
      id: tx.nextId("access_requests"),
      source_type: source.type,
      source_id: source.id,
      user_id: userId,
      ...fileVersionOf(world),
    }),
  );
}

const refTo = (source: GroupRecord | ProjectRecord): SourceRef => ({
  type: "namespace_id" in source ? "project" : "group",
  id: source.id,
});

/** The same, in one world. */
export function placesOf(world: World) {
  const { store } = world;
  return {
    group: (attributes?: Partial<GroupRecord>) => putGroup(world, attributes),
    project: (namespaceId: number, attributes?: Partial<ProjectRecord>) => putProject(world, namespaceId, attributes),
    member: (
      source: GroupRecord | ProjectRecord,
      userId: number,
      level: AccessLevel,
      attributes?: Partial<MembershipRecord>,
    ) => putMember(world, refTo(source), userId, level, attributes),
    share: (source: GroupRecord | ProjectRecord, invited: GroupRecord, level: AccessLevel) =>
      putLink(world, refTo(source), invited.id, level),
    /** Changes attributes of a group that are no part of its name or place. */
    alterGroup(group: GroupRecord, attributes: Partial<GroupRecord>): void {
      store.transact((tx) => tx.update(groups, { ...group, ...attributes }));
    },
    alterProject(project: ProjectRecord, attributes: Partial<ProjectRecord>): void {
      store.transact((tx) => tx.update(projects, { ...project, ...attributes }));
    },
  };
}
