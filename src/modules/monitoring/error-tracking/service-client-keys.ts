import { notFoundLowerCase } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Transaction } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type ClientKeyRecord, clientKeys } from "./records.ts";

const prefix = "glet_";
const digits = 32;

export function listClientKeys({ store }: Context, { id }: ProjectRecord, page: PageRequest): Page<ClientKeyRecord> {
  const where = [{ index: "project_id", key: id }] as const;
  return store.page(clientKeys, { where, order: "id", descending: false, page });
}

export function createClientKey(context: Context, project: ProjectRecord): ClientKeyRecord {
  return context.store.transact((tx) => insertClientKey(tx, context, project));
}

export function insertClientKey(
  tx: Transaction,
  { randomness }: Pick<Context, "randomness">,
  { id }: ProjectRecord,
): ClientKeyRecord {
  const secret = Array.from({ length: digits }, () => randomness.below(16).toString(16)).join("");
  const key = { id: tx.nextId("error-tracking-client-keys"), project_id: id, active: true };
  return tx.insert(clientKeys, { ...key, public_key: `${prefix}${secret}` });
}

/** Throws 404 if the project has no such key. Errors reported with it stay. */
export function deleteClientKey({ store }: Context, { id }: ProjectRecord, keyId: string): ClientKeyRecord {
  const key = /^\d+$/.test(keyId) ? store.of(clientKeys).get(Number(keyId)) : undefined;
  if (key === undefined || key.project_id !== id) throw notFoundLowerCase();
  store.transact((tx) => tx.remove(clientKeys, key.id));
  return key;
}
