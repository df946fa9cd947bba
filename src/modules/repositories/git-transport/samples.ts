import type { SampleScene, Samples } from "../../kernel/sample.ts";

/** The project of the place, after its first commit. */
async function onProject({ place, call }: SampleScene) {
  await call("GET /projects/:id/repository/commits/:sha");
  return { path: { path: place.projectPath } };
}
const ofGit = (service: string) => ({
  raw: "0000",
  headers: { "Content-Type": `application/x-git-${service}-request` },
});

export const gitTransportSamples: Samples = {
  "GET /*path.git/info/refs": onProject,
  "GET /*path.git/HEAD": onProject,
  "GET /*path.git/objects/info/packs": onProject,
  "GET /*path.git/objects/:folder/:name": async ({ place, call }) => {
    const sha = String((await call("GET /projects/:id/repository/commits/:sha")).get("id"));
    return { path: { path: place.projectPath, folder: sha.slice(0, 2), name: sha.slice(2) } };
  },
  "POST /*path.git/git-upload-pack": { ...ofGit("upload-pack"), make: onProject },
  "POST /*path.git/git-receive-pack": {
    ...ofGit("receive-pack"),
    async make({ caller, call }) {
      const project = await call("POST /projects/user/:user_id", { path: { user_id: caller.id } });
      return { path: { path: project.get("path_with_namespace") } };
    },
  },
};
