import type { SourceRef } from "../../../src/domain/source.ts";
import { jobTokenLinks } from "../../../src/modules/ci/job-token-scope/records.ts";
import type { World } from "../fixtures/world.ts";

type Thing = { readonly id: number };

const put =
  (target_type: SourceRef["type"]) =>
  ({ store, clock }: World, source: Thing, target: Thing): void => {
    store.transact((tx) =>
      tx.insert(jobTokenLinks, {
        id: tx.nextId("job_token_links"),
        source_project_id: source.id,
        target_type,
        target_id: target.id,
        created_at: clock.time(),
      }),
    );
  };

/** Puts a project on the list of another one, straight in the store. */
export const putProjectLink = put("project");
/** Puts a group on the list of a project, straight in the store. */
export const putGroupLink = put("group");
