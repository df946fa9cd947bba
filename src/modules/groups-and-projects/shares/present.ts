import type { GroupLinkRecord } from "../../core/access/index.ts";

/** members-and-access 5: what sharing a project answers. */
export function presentProjectLink(link: GroupLinkRecord) {
  return {
    id: link.id,
    project_id: link.source_id,
    group_id: link.group_id,
    group_access: link.group_access,
    expires_at: link.expires_at,
  };
}
