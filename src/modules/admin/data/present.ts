import type { Static } from "@sinclair/typebox";
import type { StoredDocument } from "../../../store/index.ts";
import type { DataEntry } from "./schema.ts";

/** Fields that name a thing, the best one first. */
const labels = ["full_path", "path", "username", "title", "name", "subject", "kind", "event_name", "key"];
const labelLengthMax = 200;

/** The document must be without its secrets. */
export function presentDataEntry(document: StoredDocument): Static<typeof DataEntry> {
  const fields = document as unknown as Readonly<Record<string, unknown>>;
  const label = labels.map((name) => fields[name]).find((value) => typeof value === "string" && value !== "");
  return { id: document.id, label: typeof label === "string" ? label.slice(0, labelLengthMax) : null };
}
