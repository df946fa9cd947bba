import { accessLevels } from "../../../domain/access-level.ts";
import { fromReporters, type Sample, type SampleScene, type SampleStatus, type Samples } from "../../kernel/sample.ts";

const { reporter, developer, owner } = accessLevels;
const one = "/projects/:id/merge_requests/:merge_request_iid";
const target = "main";

const hidden: SampleStatus = ({ level }, visibility) =>
  visibility === "private" && level < reporter ? 404 : undefined;
const timeOf = (duration: string): Sample => ({ json: { duration }, status: fromDevelopers });
const fromDevelopers: SampleStatus = ({ level }) => (level < developer ? 403 : undefined);

/** A new branch with a commit of its own. */
async function branches({ call, fresh }: SampleScene) {
  const source = fresh();
  await call("POST /projects/:id/repository/branches", { json: { branch: source, ref: target } });
  await call("POST /projects/:id/repository/files/:file_path", {
    path: { file_path: `${source}.txt` },
    json: { branch: source, content: "new", commit_message: "Mend the roof" },
  });
  return { json: { source_branch: source, target_branch: target, title: "Mend the roof" } };
}

export const mergeRequestSamples: Samples = {
  "GET /merge_requests": { query: { scope: "all" } },
  "GET /projects/:id/merge_requests": { status: fromReporters },
  "POST /projects/:id/merge_requests": { make: branches, status: fromDevelopers },
  [`GET ${one}`]: { status: fromReporters },
  [`PUT ${one}`]: { json: { title: "Mend the whole roof" }, status: fromDevelopers },
  [`DELETE ${one}`]: {
    status: (member, visibility) => hidden(member, visibility) ?? (member.level < owner ? 403 : undefined),
  },
  [`PUT ${one}/merge`]: {
    status: ({ level }, visibility) => {
      if (visibility === "private" && level < reporter) return 404;
      return level < developer ? 401 : undefined;
    },
  },
  [`GET ${one}/commits`]: { status: fromReporters },
  [`GET ${one}/diffs`]: { status: fromReporters },
  [`GET ${one}/changes`]: { status: fromReporters },
  [`GET ${one}/raw_diffs`]: { status: fromReporters },
  [`GET ${one}/versions`]: { status: fromReporters },
  [`GET ${one}/versions/:version_id`]: {
    make: async ({ call }) => {
      const mergeRequest = await call("POST /projects/:id/merge_requests");
      const path = { merge_request_iid: mergeRequest.get("iid") };
      const versions = await call(`GET ${one}/versions`, { path });
      return { path: { ...path, version_id: versions.get("0.id") } };
    },
    status: fromReporters,
  },
  [`GET ${one}/participants`]: { status: fromReporters },
  [`GET ${one}/reviewers`]: { status: fromReporters },
  [`POST ${one}/subscribe`]: {
    isMadeByCaller: true,
    status: fromReporters,
    unsuited: "the author, who may be the caller, is subscribed already",
  },
  [`POST ${one}/unsubscribe`]: { after: [`POST ${one}/subscribe`], status: fromReporters },
  [`POST ${one}/time_estimate`]: timeOf("3h30m"),
  [`POST ${one}/add_spent_time`]: timeOf("1h"),
  [`POST ${one}/reset_time_estimate`]: { after: [`POST ${one}/time_estimate`], status: fromDevelopers },
  [`POST ${one}/reset_spent_time`]: { after: [`POST ${one}/add_spent_time`], status: fromDevelopers },
  [`GET ${one}/time_stats`]: { status: fromReporters },
  [`GET ${one}/notes`]: { status: hidden },
  [`GET ${one}/notes/:note_id`]: { status: hidden },
  [`POST ${one}/notes`]: { json: { body: "I agree." }, isMadeByCaller: true, status: hidden },
  [`PUT ${one}/notes/:note_id`]: { json: { body: "I do not." }, status: hidden },
  [`DELETE ${one}/notes/:note_id`]: { status: hidden },
  ...Object.fromEntries([one, `${one}/notes/:note_id`].flatMap(awardSamplesOn)),
};

function awardSamplesOn(path: string): [string, Sample][] {
  return [
    [`GET ${path}/award_emoji`, { status: hidden }],
    [`GET ${path}/award_emoji/:award_id`, { status: hidden }],
    [`POST ${path}/award_emoji`, { json: { name: "rocket" }, isMadeByCaller: true, status: hidden }],
    [`DELETE ${path}/award_emoji/:award_id`, { status: hidden }],
  ];
}
