import type { Sample, Samples } from "../../kernel/sample.ts";

const create: Sample = { json: { name: "rocket" }, isMadeByCaller: true };

export const awardSamples: Samples = {
  "POST /projects/:id/issues/:issue_iid/award_emoji": create,
  "POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji": create,
  "POST /projects/:id/snippets/:snippet_id/award_emoji": create,
  "POST /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji": create,
};
