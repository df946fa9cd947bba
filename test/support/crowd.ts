import { namespaces } from "../../src/modules/core/namespaces/index.ts";
import { type UserRecord, users } from "../../src/modules/core/users/index.ts";
import type { World } from "./world.ts";

const batchSize = 1_000;

/** Makes many users straight in the store, as copies of root without the rights, after those that are there. */
export function insertCrowd({ store }: World, count: number, attributes: Partial<UserRecord> = {}): void {
  const root = store.of(users).get(1);
  if (root === undefined) throw new Error("no root to copy");
  for (let done = 0; done < count; done += batchSize) {
    store.transact((tx) => {
      for (let each = 0; each < Math.min(batchSize, count - done); each += 1) {
        const id = tx.nextId("users");
        const namespaceId = tx.nextId("namespaces");
        const username = `crowd${id}`;
        const path = { name: username, path: username, full_path: username };
        tx.insert(namespaces, { id: namespaceId, kind: "user", ...path, parent_id: null, owner_id: id });
        tx.insert(users, {
          ...root,
          is_admin: false,
          name: `Crowd ${id % 7}`,
          ...attributes,
          id,
          username,
          email: `${username}@crowd.example`,
          namespace_id: namespaceId,
        });
      }
    });
  }
}
