import { fromReporters, type Sample, type SampleScene, type Samples } from "../../kernel/sample.ts";

const sha = "main";

/** The repository of the place, with a commit. */
async function withCommit({ once, call }: SampleScene) {
  await once("commit", () => call("POST /projects/:id/repository/commits"));
  return {};
}

const onCommit = (sample: Partial<Sample> = {}): Sample => ({
  path: { sha },
  make: withCommit,
  status: fromReporters,
  ...sample,
});
const discussions = "/projects/:id/repository/commits/:sha/discussions" as const;

export const commitNoteSamples: Samples = {
  "GET /projects/:id/repository/commits/:sha/comments": onCommit(),
  "POST /projects/:id/repository/commits/:sha/comments": onCommit({ json: { note: "Well done." } }),
  [`GET ${discussions}`]: onCommit(),
  [`POST ${discussions}`]: onCommit({ json: { body: "Is this enough?" }, isMadeByCaller: true }),
  [`GET ${discussions}/:discussion_id`]: onCommit(),
  [`POST ${discussions}/:discussion_id/notes`]: onCommit({ json: { body: "It is." }, isMadeByCaller: true }),
  [`GET ${discussions}/:discussion_id/notes/:note_id`]: onCommit(),
  [`PUT ${discussions}/:discussion_id/notes/:note_id`]: onCommit({ json: { body: "It is not." } }),
  [`DELETE ${discussions}/:discussion_id/notes/:note_id`]: onCommit(),
};
