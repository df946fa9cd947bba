import type { Store, Transaction } from "../../store/index.ts";
import { type NamespaceRecord, namespaces } from "./collection.ts";

/** The namespace with this full path, whatever the case of its letters. */
export function findNamespaceByPath(store: Store, fullPath: string): NamespaceRecord | undefined {
  const documents = store.of(namespaces);
  const id = documents.by.full_path.find(fullPath.toLowerCase());
  return id === undefined ? undefined : documents.get(id);
}

/** The personal namespace of a new user: its path is the username (users-and-auth 20). */
export function createPersonalNamespace(
  tx: Transaction,
  user: { id: number; name: string; username: string },
): NamespaceRecord {
  return tx.insert(namespaces, {
    id: tx.nextId("namespaces"),
    kind: "user",
    name: user.name,
    path: user.username,
    full_path: user.username,
    parent_id: null,
    owner_id: user.id,
  });
}
