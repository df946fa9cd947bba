/** The ends of releases that follow from others. */

import { tagPrefix } from "../../../git/index.ts";
import { projectRemoval } from "../../core/namespaces/index.ts";
import { userRemovalStep } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { refPushed } from "../../repositories/repositories/index.ts";
import { recordReleaseDeleted } from "./audit.ts";
import { findRelease, type ReleaseRecord, releases } from "./records.ts";
import { removeRelease } from "./service.ts";

export const projectReleaseRemoval = projectRemoval({
  remove: (tx, { store }, { id }, limit) => removeFirst(tx, releases, store.of(releases).by.project_id.find(id), limit),
});

/** A release goes with its tag. */
export const tagReleaseRemoval = subscribe(refPushed, {
  run(tx, context, { caller, project, ref, commit }) {
    if (commit !== undefined || !ref.startsWith(tagPrefix)) return;
    const release = findRelease(context.store, project.id, ref.slice(tagPrefix.length));
    if (release === undefined) return;
    recordReleaseDeleted(tx, context, caller, release);
    removeRelease(tx, context, caller, release);
  },
});

/** Releases stay when the account of their author goes. */
export const releaseUserRemoval = subscribe(userRemovalStep, {
  phase: 3,
  run(tx, { store }, { user, budget }) {
    const documents = store.of(releases);
    const written = () => documents.by.author_id.find(user.id);
    budget.each(written, (id) => tx.update(releases, { ...(documents.get(id) as ReleaseRecord), author_id: null }));
  },
});
