import { removeAccessTo, type SourceRef } from "../access/index.ts";
import { removeCustomAttributes } from "../custom-attributes/index.ts";
import { removeSettingsOfSource } from "../notification-settings/index.ts";
import type { ProjectRemoval } from "../project-hooks.ts";

/** Memberships, access requests, shares, notification settings and custom attributes of a project. */
export const projectOwnRemoval: ProjectRemoval = {
  remove(tx, { store }, { id }, limit) {
    const source: SourceRef = { type: "project", id };
    const access = removeAccessTo(tx, store, source, limit);
    const taken = access + removeSettingsOfSource(tx, store, source, limit - access);
    if (taken < limit) removeCustomAttributes(tx, store, { resource: "Project", id });
    return taken;
  },
};
