import type { Static } from "@sinclair/typebox";
import { fullNameOf, fullPathOf } from "../../../core/namespaces/index.ts";
import type { View } from "../../../kernel/view.ts";
import type { GroupRecord } from "../../groups/records.ts";
import type { GroupOfProject } from "../schema.ts";

/** An entry of lists of groups that a project is in, or may be in. */
export function presentGroupOfProject(
  { id, name, avatar }: GroupRecord,
  { context: { store }, baseUrl }: View,
): Static<typeof GroupOfProject> {
  const full_path = fullPathOf(store, id);
  return {
    id,
    web_url: `${baseUrl}/groups/${full_path}`,
    name,
    avatar_url:
      avatar === null ? null : `${baseUrl}/uploads/-/system/group/avatar/${id}/${encodeURIComponent(avatar.filename)}`,
    full_name: fullNameOf(store, id),
    full_path,
  };
}
