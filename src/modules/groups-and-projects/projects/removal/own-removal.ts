/** The removal of a deleted project's own data. */

import type { SourceRef } from "../../../../domain/source.ts";
import { removeAccessTo } from "../../../core/access/index.ts";
import { removeCustomAttributes } from "../../../core/custom-attributes/index.ts";
import { projectRemoval } from "../../../core/namespaces/index.ts";
import { removeSettingsOfSource } from "../../../notifications/settings/index.ts";

/** Memberships, access requests, shares, notification settings and custom attributes of a project. */
export const projectOwnRemoval = projectRemoval({
  phase: 8,
  remove(tx, { store }, { id }, limit) {
    const source: SourceRef = { type: "project", id };
    const access = removeAccessTo(tx, store, source, limit);
    const taken = access + removeSettingsOfSource(tx, store, source, limit - access);
    if (taken < limit) removeCustomAttributes(tx, store, { resource: "Project", id });
    return taken;
  },
});
