import type { ProjectRemoval } from "../../kernel/project-hooks.ts";
import { packageFiles, packagePipelines, packages } from "./records.ts";

/** Packages go with their project; the blobs of their files are swept. */
export const packageRemoval: ProjectRemoval = {
  phase: 6,
  remove(tx, { store }, { id }, limit) {
    let taken = 0;
    for (const each of [packageFiles, packagePipelines, packages] as const) {
      const ids = [...store.of(each as typeof packages).by.project_id.find(id)].slice(0, limit - taken);
      for (const one of ids) tx.remove(each as typeof packages, one);
      taken += ids.length;
    }
    return taken;
  },
};
