import type { AccessLevel } from "../../src/domain/access-level.ts";
import type { Visibility } from "../../src/domain/visibility.ts";
import { memberships, type SourceRef } from "../../src/modules/access/index.ts";
import { insertGroup, type ProjectRecord, projects } from "../../src/modules/namespaces/index.ts";
import { type Json, type Person, rootToken, type World } from "./world.ts";

/** Straight in the store: a member of a group, or of a project. */
export function addMember(
  { store, clock }: World,
  source: { readonly id: number },
  person: Pick<Person, "id">,
  level: AccessLevel,
  type: SourceRef["type"] = "group",
): void {
  store.transact((tx) =>
    tx.insert(memberships, {
      id: tx.nextId("memberships"),
      source_type: type,
      source_id: source.id,
      user_id: person.id,
      access_level: level,
      state: "active",
      expires_at: null,
      created_by_id: null,
      created_at: clock.time(),
      updated_at: clock.time(),
    }),
  );
}

/** Makes a group through the API; its name is its path unless given. */
export async function makeGroup(
  world: World,
  attributes: Readonly<Record<string, unknown>> & { readonly path: string },
  token: string = rootToken,
): Promise<Json> {
  const json = { name: attributes.path, ...attributes };
  const { status, body, text } = await world.call("POST", "/groups", { token, json });
  if (status !== 201) throw new Error(`no group: ${status} ${text}`);
  return body;
}

/** Makes many groups straight in the store, side by side, and tells the first id. */
export function insertGroups(
  { store, clock }: World,
  count: number,
  prefix: string,
  parentId: number | null = null,
  visibility: Visibility = "public",
): number {
  return store.transact((tx) => {
    let first: number | undefined;
    for (let each = 1; each <= count; each += 1) {
      const { id } = insertGroup(tx, {
        name: `${prefix} ${each}`,
        path: `${prefix}-${each}`,
        parent_id: parentId,
        description: "",
        visibility,
        settings: {},
        avatar: null,
        creator_id: null,
        runners_token: "",
        repository_storage: "default",
        created_at: clock.time(),
        updated_at: clock.time(),
      });
      first ??= id;
    }
    return first as number;
  });
}

/** Straight in the store: a project in a namespace. */
export function insertProject(
  { store, clock }: World,
  attributes: Partial<ProjectRecord> & Pick<ProjectRecord, "namespace_id" | "path">,
): ProjectRecord {
  return store.transact((tx) =>
    tx.insert(projects, {
      id: tx.nextId("projects"),
      name: attributes.path,
      description: null,
      visibility: "private",
      creator_id: null,
      archived: false,
      default_branch: null,
      topics: [],
      settings: {},
      avatar: null,
      import_url: null,
      star_count: 0,
      runners_token: "",
      repository_storage: "default",
      created_at: clock.time(),
      updated_at: clock.time(),
      last_activity_at: clock.time(),
      ...attributes,
    }),
  );
}
