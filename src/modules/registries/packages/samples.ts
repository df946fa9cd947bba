import type { SampleScene, Samples } from "../../kernel/sample.ts";

const folder = "/projects/:id/packages/generic/:package_name/:package_version";

const newFile = ({ fresh }: SampleScene) => ({
  path: { package_name: fresh(), package_version: "1.0", file_name: "app.bin" },
  raw: "bytes",
});
const newDeepFile = (scene: SampleScene) => {
  const { path, raw } = newFile(scene);
  return { path: { ...path, path: "linux/amd64" }, raw };
};

/** Two versions of one file. */
async function upload(scene: SampleScene) {
  const { path } = newFile(scene);
  for (const raw of ["old bytes", "bytes"]) await scene.call(`PUT ${folder}/:file_name`, { path, raw });
  return path;
}

const onPackage = async (scene: SampleScene) => {
  const { package_name } = await upload(scene);
  const list = await scene.call("GET /projects/:id/packages", { query: { package_name } });
  return { path: { package_id: list.get("0.id") } };
};

export const packageSamples: Samples = {
  "GET /projects/:id/packages/:package_id": onPackage,
  "GET /projects/:id/packages/:package_id/package_files": onPackage,
  "GET /projects/:id/packages/:package_id/pipelines": onPackage,
  "DELETE /projects/:id/packages/:package_id": onPackage,
  "DELETE /projects/:id/packages/:package_id/package_files/:package_file_id": async (scene) => {
    const { path } = await onPackage(scene);
    const files = await scene.call("GET /projects/:id/packages/:package_id/package_files", { path });
    return { path: { ...path, package_file_id: files.get("0.id") } };
  },
  [`PUT ${folder}/:file_name`]: newFile,
  [`PUT ${folder}/*path/:file_name`]: newDeepFile,
  [`GET ${folder}/:file_name`]: async (scene) => ({ path: await upload(scene) }),
  [`GET ${folder}/*path/:file_name`]: async (scene) => {
    const { path } = newDeepFile(scene);
    await scene.call(`PUT ${folder}/*path/:file_name`, { path });
    return { path };
  },
};
