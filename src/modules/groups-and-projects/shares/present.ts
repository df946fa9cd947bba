import type { Static } from "@sinclair/typebox";
import type { GroupLinkRecord } from "./records.ts";
import type { GroupLink } from "./schema.ts";

/** members-and-access 5: what sharing a project answers. */
export function presentProjectLink(link: GroupLinkRecord): Static<typeof GroupLink> {
  return {
    id: link.id,
    project_id: link.source_id,
    group_id: link.group_id,
    group_access: link.group_access,
    expires_at: link.expires_at,
  };
}
