import type { Static } from "@sinclair/typebox";
import type { Contributor } from "./schema.ts";
import type { FoundContributor } from "./service.ts";

/** An author. R counts no lines any more, and says 0. */
export function presentContributor({ name, email, commits }: FoundContributor): Static<typeof Contributor> {
  return { name, email, commits, additions: 0, deletions: 0 };
}
