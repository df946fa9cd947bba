import { accessLevels } from "../../../domain/access-level.ts";
import { fromReporters, type SampleScene, type SampleStatus, type Samples } from "../../kernel/sample.ts";

const { developer, owner } = accessLevels;
const one = "/projects/:id/merge_requests/:merge_request_iid";
const target = "main";

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
    status: ({ level }, visibility) => {
      if (visibility === "private" && level < accessLevels.reporter) return 404;
      return level < owner ? 403 : undefined;
    },
  },
};
