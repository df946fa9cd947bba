import { fromReporters, type SampleScene, type Samples } from "../../kernel/sample.ts";

const branch = "main";

/** A release of a new tag. */
async function create({ fresh, once, call }: SampleScene) {
  await once("repository", () =>
    call("POST /projects/:id/repository/files/:file_path", { path: { file_path: "notes.md" } }),
  );
  return { json: { tag_name: fresh(), ref: branch, description: "All of it" } };
}

export const releaseSamples: Samples = {
  "POST /projects/:id/releases": create,
  "GET /projects/:id/releases/:tag_name": { status: fromReporters },
  "PUT /projects/:id/releases/:tag_name": { json: { description: "More of it" } },
  "GET /projects/:id/releases/:tag_name/evidence": { status: fromReporters },
  "POST /projects/:id/releases/:tag_name/assets/links": ({ fresh }) => ({
    json: { name: fresh(), url: `https://files.example.com/${fresh()}` },
  }),
  "PUT /projects/:id/releases/:tag_name/assets/links/:link_id": ({ fresh }) => ({ json: { name: fresh() } }),
  "GET /projects/:id/releases/permalink/latest": {
    async make({ call }) {
      await call("POST /projects/:id/releases");
      return {};
    },
    status: fromReporters,
  },
  "GET /projects/:id/releases/permalink/latest/*suffix_path": {
    async make({ call }) {
      await call("POST /projects/:id/releases");
      return { path: { suffix_path: "downloads/bin/linux" } };
    },
    status: fromReporters,
  },
  "GET /projects/:id/releases/:tag_name/downloads/*direct_asset_path": {
    async make({ call, fresh }) {
      const tag_name = (await call("POST /projects/:id/releases")).get("tag_name");
      const json = { name: fresh(), url: `https://files.example.com/${fresh()}`, direct_asset_path: "/bin/linux" };
      await call("POST /projects/:id/releases/:tag_name/assets/links", { path: { tag_name }, json });
      return { path: { tag_name, direct_asset_path: "bin/linux" } };
    },
    status: fromReporters,
  },
};
