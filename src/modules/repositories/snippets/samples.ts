import { accessLevels } from "../../../domain/access-level.ts";
import type { SampleScene, SampleStatus, Samples } from "../../kernel/sample.ts";

const create = { json: { title: "Colours", visibility: "public", file_name: "colours.css", content: "body {}\n" } };
const update = { json: { title: "Shades" } };
const fromMaintainers: SampleStatus = ({ level }) => (level < accessLevels.maintainer ? 403 : undefined);
const withOne = async ({ call }: SampleScene) => {
  await call("POST /snippets");
  return {};
};

export const snippetSamples: Samples = {
  "POST /snippets": { ...create, isMadeByCaller: true },
  "GET /snippets/public": withOne,
  "GET /snippets/all": withOne,
  "PUT /snippets/:id": update,
  "POST /projects/:id/snippets": create,
  "GET /projects/:id/snippets/:snippet_id/user_agent_detail": {
    status: ({ isAdministrator }) => (isAdministrator ? undefined : 403),
  },
  "PUT /projects/:id/snippets/:snippet_id": { ...update, status: fromMaintainers },
  "DELETE /projects/:id/snippets/:snippet_id": { status: fromMaintainers },
};
