import type { AccessLevel } from "../../src/domain/access-level.ts";
import {
  type GroupLinkRecord,
  groupLinks,
  type MembershipRecord,
  memberships,
} from "../../src/modules/access/index.ts";
import {
  type GroupRecord,
  groups,
  insertGroup,
  type ProjectRecord,
  projects,
} from "../../src/modules/namespaces/index.ts";
import type { World } from "./world.ts";

/** Groups, projects and what gives access to them, straight in the store: each as small as it can be, or as it is said. */
export function placesOf({ store, clock }: World) {
  let count = 0;
  const shared = (attributes: { readonly path?: string }) => {
    count += 1;
    const path = attributes.path ?? `place${count}`;
    const now = clock.time();
    return {
      name: path,
      path,
      visibility: "private" as const,
      settings: {},
      avatar: null,
      creator_id: null,
      runners_token: "",
      repository_storage: "default",
      created_at: now,
      updated_at: now,
    };
  };
  return {
    group(attributes: Partial<GroupRecord> = {}): GroupRecord {
      const record = { ...shared(attributes), parent_id: null, description: "", ...attributes };
      return store.transact((tx) => insertGroup(tx, record));
    },
    project(namespaceId: number, attributes: Partial<ProjectRecord> = {}): ProjectRecord {
      return store.transact((tx) =>
        tx.insert(projects, {
          id: tx.nextId("projects"),
          namespace_id: namespaceId,
          description: null,
          archived: false,
          default_branch: null,
          topics: [],
          import_url: null,
          star_count: 0,
          last_activity_at: clock.time(),
          ...shared(attributes),
          ...attributes,
        }),
      );
    },
    member(
      source: GroupRecord | ProjectRecord,
      userId: number,
      level: AccessLevel,
      attributes: Partial<MembershipRecord> = {},
    ): MembershipRecord {
      return store.transact((tx) =>
        tx.insert(memberships, {
          id: tx.nextId("memberships"),
          source_type: "namespace_id" in source ? "project" : "group",
          source_id: source.id,
          user_id: userId,
          access_level: level,
          state: "active",
          expires_at: null,
          created_by_id: null,
          created_at: clock.time(),
          updated_at: clock.time(),
          ...attributes,
        }),
      );
    },
    share(source: GroupRecord | ProjectRecord, invited: GroupRecord, level: AccessLevel): GroupLinkRecord {
      return store.transact((tx) =>
        tx.insert(groupLinks, {
          id: tx.nextId("group_links"),
          source_type: "namespace_id" in source ? "project" : "group",
          source_id: source.id,
          group_id: invited.id,
          group_access: level,
          expires_at: null,
          created_at: clock.time(),
          updated_at: clock.time(),
        }),
      );
    },
    /** Changes attributes of a group that are no part of its name or place. */
    alterGroup(group: GroupRecord, attributes: Partial<GroupRecord>): void {
      store.transact((tx) => tx.update(groups, { ...group, ...attributes }));
    },
    alterProject(project: ProjectRecord, attributes: Partial<ProjectRecord>): void {
      store.transact((tx) => tx.update(projects, { ...project, ...attributes }));
    },
  };
}
