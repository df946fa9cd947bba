import { groupLinks, memberships, type SourceRef, sourceKey } from "../access/index.ts";
import { removeCustomAttributes } from "../custom-attributes/index.ts";
import { removeSettingsOfSource } from "../notification-settings/index.ts";
import type { ProjectRemoval } from "../project-hooks.ts";

/** Memberships, shares, notification settings and custom attributes of a project. */
export const projectOwnRemoval: ProjectRemoval = {
  remove(tx, { store }, { id }, limit) {
    const source: SourceRef = { type: "project", id };
    const key = sourceKey(source);
    const rows = [...store.of(memberships).by.source.find(key)].slice(0, limit);
    for (const row of rows) tx.remove(memberships, row);
    const links = [...store.of(groupLinks).by.source.find(key)].slice(0, limit - rows.length);
    for (const link of links) tx.remove(groupLinks, link);
    const settings = removeSettingsOfSource(tx, store, source, limit - rows.length - links.length);
    const taken = rows.length + links.length + settings;
    if (taken < limit) removeCustomAttributes(tx, store, { resource: "Project", id });
    return taken;
  },
};
