import { fromReporters, type Sample, type SampleCall, type SampleScene, type Samples } from "../../kernel/sample.ts";

const branch = "main";
const file_path = "notes.md";
const change = ({ fresh }: SampleScene) => ({ branch, content: `# ${fresh()}\n`, commit_message: "Change the notes" });

/** The repository of the place, with a first commit. */
async function fill({ once, call }: SampleScene): Promise<SampleCall> {
  await once("repository", () => call("POST /projects/:id/repository/files/:file_path", { path: { file_path } }));
  return {};
}

/** Reading the code. */
const reading = (path?: SampleCall["path"]): Sample => ({
  ...(path === undefined ? {} : { path }),
  make: fill,
  status: fromReporters,
});
const readingBlob: Sample = {
  async make(scene) {
    await fill(scene);
    const file = await scene.call("GET /projects/:id/repository/files/:file_path");
    return { path: { sha: file.get("blob_id") } };
  },
  status: fromReporters,
};
const onNewRef = (name: "branch" | "tag_name") => async (scene: SampleScene) => {
  await fill(scene);
  return { json: { [name]: scene.fresh(), ref: branch } };
};

/** A commit of its own on a branch, and where its change goes. */
const onCommit = (isOnOther: boolean) => async (scene: SampleScene) => {
  await fill(scene);
  const file_path = scene.fresh();
  const sha = isOnOther ? file_path : branch;
  const added = { branch: sha, start_branch: branch, content: "x", commit_message: "Add a file" };
  await scene.call("POST /projects/:id/repository/files/:file_path", { path: { file_path }, json: added });
  return { path: { sha }, json: { branch } };
};

export const repositorySamples: Samples = {
  "POST /projects/:id/repository/files/:file_path": (scene) => ({
    path: { file_path: scene.fresh() },
    json: change(scene),
  }),
  "PUT /projects/:id/repository/files/:file_path": async (scene) => {
    await fill(scene);
    return { path: { file_path }, json: change(scene) };
  },
  "DELETE /projects/:id/repository/files/:file_path": { json: { branch, commit_message: "Remove the notes" } },
  "GET /projects/:id/repository/files/:file_path": { ...reading({ file_path }), query: { ref: branch } },
  "GET /projects/:id/repository/files/:file_path/raw": reading({ file_path }),
  "GET /projects/:id/repository/files/:file_path/blame": { ...reading({ file_path }), query: { ref: branch } },
  "GET /projects/:id/repository/branches": reading(),
  "GET /projects/:id/repository/branches/:branch": reading({ branch }),
  "POST /projects/:id/repository/branches": onNewRef("branch"),
  "DELETE /projects/:id/repository/merged_branches": fill,
  "GET /projects/:id/repository/tags": reading(),
  "GET /projects/:id/repository/tags/:tag_name": { status: fromReporters },
  "POST /projects/:id/repository/tags": onNewRef("tag_name"),
  "GET /projects/:id/repository/tree": reading(),
  "GET /projects/:id/repository/commits": reading(),
  "GET /projects/:id/repository/commits/:sha/refs": reading({ sha: branch }),
  "GET /projects/:id/repository/commits/:sha/sequence": reading({ sha: branch }),
  "GET /projects/:id/repository/commits/:sha/signature": {
    status: fromReporters,
    unsuited: "needs a commit that git has signed",
  },
  "GET /projects/:id/repository/commits/:sha/diff": reading({ sha: branch }),
  "POST /projects/:id/repository/commits/:sha/cherry_pick": onCommit(true),
  "POST /projects/:id/repository/commits/:sha/revert": onCommit(false),
  "GET /projects/:id/repository/compare": { ...reading(), query: { from: branch, to: branch } },
  "GET /projects/:id/repository/blobs/:sha": readingBlob,
  "GET /projects/:id/repository/blobs/:sha/raw": readingBlob,
  "GET /projects/:id/repository/archive": reading(),
  "GET /projects/:id/repository/archive.:format": reading({ format: "zip" }),
  "GET /projects/:id/repository/merge_base": { ...reading(), query: { refs: `${branch},${branch}` } },
  "GET /projects/:id/repository/contributors": reading(),
  "GET /projects/:id/repository/changelog": { ...reading(), query: { version: "1.0.0", from: branch } },
  "POST /projects/:id/repository/changelog": async (scene) => {
    await fill(scene);
    return { json: { version: "1.0.0", from: branch, file: scene.fresh() } };
  },
  "POST /-/repository-imports": { unsuited: "needs a repository that a command has staged" },
};
