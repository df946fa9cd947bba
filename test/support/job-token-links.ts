import { jobTokenGroupLinks, jobTokenProjectLinks } from "../../src/modules/access/index.ts";
import type { World } from "./world.ts";

type Thing = { readonly id: number };

/** Puts a project on the list of another one, straight in the store. */
export function putProjectLink({ store, clock }: World, source: Thing, target: Thing): void {
  store.transact((tx) =>
    tx.insert(jobTokenProjectLinks, {
      id: tx.nextId("job_token_project_links"),
      source_project_id: source.id,
      target_project_id: target.id,
      created_at: clock.time(),
    }),
  );
}

/** Puts a group on the list of a project, straight in the store. */
export function putGroupLink({ store, clock }: World, source: Thing, target: Thing): void {
  store.transact((tx) =>
    tx.insert(jobTokenGroupLinks, {
      id: tx.nextId("job_token_group_links"),
      source_project_id: source.id,
      target_group_id: target.id,
      created_at: clock.time(),
    }),
  );
}
