import type { Samples } from "../../kernel/sample.ts";

export const noteSamples: Samples = {
  "POST /projects/:id/issues/:issue_iid/notes": { json: { body: "I agree." }, isMadeByCaller: true },
  "PUT /projects/:id/issues/:issue_iid/notes/:note_id": { json: { body: "I do not." } },
  "POST /projects/:id/snippets/:snippet_id/notes": { json: { body: "It works." }, isMadeByCaller: true },
  "PUT /projects/:id/snippets/:snippet_id/notes/:note_id": { json: { body: "It does not." } },
};
