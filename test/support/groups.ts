import type { Visibility } from "../../src/domain/visibility.ts";
import { insertGroup } from "../../src/modules/core/namespaces/index.ts";
import { type Json, rootToken, type World } from "./world.ts";

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
        runners_token: "registration",
        repository_storage: "default",
        created_at: clock.time(),
        updated_at: clock.time(),
      });
      first ??= id;
    }
    return first as number;
  });
}
