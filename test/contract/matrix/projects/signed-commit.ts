import { rootToken } from "../../../support/fixtures/world.ts";
import { folderOf, git } from "../../ci/triggers-and-pipelines/setting.ts";
import type { MadeSamples, Scene } from "../scene.ts";

const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aGVsbG8=\n -----END PGP SIGNATURE-----\n";

/** Signed commits: the API makes none. */
export function signedCommitSamples({ world, fresh }: Scene): MadeSamples {
  return {
    "GET /projects/:id/repository/commits/:sha/signature": async (_, { projectId }) => {
      const path = `/projects/${projectId}/repository`;
      const json = { branch: "main", commit_message: "Add", content: "x" };
      const token = rootToken;
      await world.call("POST", `${path}/files/${fresh()}`, { token, json });
      const folder = folderOf(world, projectId);
      const text = await git(["-C", folder, "cat-file", "commit", "main"]);
      const signed = text.replace("\n\n", `\n${signature}\n`);
      const sha = await git(["-C", folder, "hash-object", "-t", "commit", "-w", "--stdin"], signed);
      return { path: `${path}/commits/${sha.trim()}/signature` };
    },
  };
}
