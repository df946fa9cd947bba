import type { Static } from "@sinclair/typebox";
import type { View } from "../../kernel/view.ts";
import { presentRows } from "../protected-branches/index.ts";
import type { ProtectedTagRecord } from "./records.ts";
import type { ProtectedTag } from "./schema.ts";

export function presentProtectedTag({ name, create }: ProtectedTagRecord, view: View): Static<typeof ProtectedTag> {
  return { name, create_access_levels: presentRows(create, view) };
}
