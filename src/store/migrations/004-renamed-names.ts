/** The names that format 4 has in the place of those of format 3. */

import type { StoredDocument } from "../indexes/index.ts";
import type { Change } from "../journal/journal-line.ts";

type Names = ReadonlyMap<string, string>;

/** Names of collections, old and new, and those of the others that have old names in their documents. */
export const renamedCollections: Names = new Map([
  ["departures", "pending-unlinks"],
  ["due-mails", "due-mail-progress"],
  ["installation", "initial-setup"],
  ["jobs", "background-jobs"],
  ["log-marks", "log-watermarks"],
  ["runner-registrations", "runner-registration-tokens"],
  ["container-blobs", "container-blobs"],
  ["container-manifests", "container-manifests"],
  ["features", "features"],
  ["former-paths", "former-paths"],
  ["sequences", "sequences"],
]);

/** Collections that format 4 does not have. */
export const oldCollections: ReadonlySet<string> = new Set(
  [...renamedCollections].flatMap(([from, to]) => (from === to ? [] : [from])),
);

/** New collection → old field → new field. */
const fields: ReadonlyMap<string, Names> = new Map([
  ["pending-unlinks", new Map([["gone_id", "deleted_id"]])],
  ["container-blobs", new Map([["uses", "reference_count"]])],
  ["container-manifests", new Map([["uses", "reference_count"]])],
  [
    "former-paths",
    new Map([
      ["place", "path_key"],
      ["bearer", "target_type"],
      ["bearer_id", "target_id"],
    ]),
  ],
]);

/** Fields of the payload of a background job. */
const payloadFields: Names = new Map([["departure_id", "pending_unlink_id"]]);

/** New collection and field → old text → new text. */
const texts: ReadonlyMap<string, Names> = new Map([
  [
    "background-jobs kind",
    new Map([
      ["departure", "pending_unlink"],
      ["epic_removal", "epic_deletion"],
      ["visibility_narrowing", "visibility_lowering"],
    ]),
  ],
  [
    "features name",
    new Map([
      ["kept_list_pages", "list_response_cache"],
      ["token_use_notes", "token_usage_tracking"],
    ]),
  ],
  [
    "sequences name",
    new Map([
      ["departures", "pending_unlinks"],
      ["jobs", "background_jobs"],
      ["runner_registrations", "runner_registration_tokens"],
    ]),
  ],
]);

/** A change in the journal under its new names. One that has them already stays as it is. */
export function renameChange([from, id, document]: Change): Change {
  const collection = renamedCollections.get(from) ?? from;
  return [collection, id, document === null ? null : renameDocument(collection, document as StoredDocument)];
}

/** A document of a collection, which is called by its new name. */
export function renameDocument(collection: string, document: StoredDocument): StoredDocument {
  const renamed = Object.entries(document).map(([field, value]) => [
    fields.get(collection)?.get(field) ?? field,
    renameValue(collection, field, value),
  ]);
  return Object.fromEntries(renamed) as StoredDocument;
}

function renameValue(collection: string, field: string, value: unknown): unknown {
  if (typeof value === "string") return texts.get(`${collection} ${field}`)?.get(value) ?? value;
  return collection === "background-jobs" && field === "payload" ? renamePayload(value) : value;
}

function renamePayload(payload: unknown): unknown {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return payload;
  return Object.fromEntries(
    Object.entries(payload).map(([field, value]) => [payloadFields.get(field) ?? field, value]),
  );
}
