import { genericPath, makePackage, uploadTo } from "../../../support/ci/packages.ts";
import { putRunningJob } from "../../../support/ci/running-job.ts";
import type { MakeSample, Samples, Scene } from "../scene.ts";

export function packageSamples({ world, fresh }: Scene): Samples {
  const onPackage = (end = ""): MakeSample => {
    return async (_, { projectId }) => {
      const { id } = await makePackage(world, projectId);
      return { path: `/projects/${projectId}/packages/${id}${end}` };
    };
  };
  const upload = (end: string): MakeSample => {
    return (_, { projectId }) => ({ path: genericPath(projectId, `${fresh()}/1.0/${end}`), options: { raw: "bytes" } });
  };
  const download = (end: string): MakeSample => {
    return async (_, { projectId }) => {
      const { file } = await makePackage(world, projectId, `app/1.0/${end}`);
      return { path: genericPath(projectId, file) };
    };
  };
  const folder = "/projects/:id/packages/generic/:package_name/:package_version";
  return {
    "GET /projects/:id/packages": async (_, { projectId }) => {
      await makePackage(world, projectId);
      return { path: `/projects/${projectId}/packages` };
    },
    "GET /groups/:id/packages": async (_, { groupId, projectId }) => {
      await makePackage(world, projectId);
      return { path: `/groups/${groupId}/packages` };
    },
    "GET /projects/:id/packages/:package_id": onPackage(),
    "GET /projects/:id/packages/:package_id/package_files": async (_, { projectId }) => {
      const { id, file } = await makePackage(world, projectId);
      for (const raw of ["more", "and more"]) await uploadTo(world, projectId, file, { raw });
      return { path: `/projects/${projectId}/packages/${id}/package_files` };
    },
    "GET /projects/:id/packages/:package_id/pipelines": async (_, { projectId }) => {
      const { id, file } = await makePackage(world, projectId);
      for (let count = 0; count < 3; count += 1) {
        const { token } = putRunningJob(world, projectId, 1);
        await world.call("PUT", genericPath(projectId, file), { headers: { "JOB-TOKEN": token }, raw: "bytes" });
      }
      return { path: `/projects/${projectId}/packages/${id}/pipelines` };
    },
    "DELETE /projects/:id/packages/:package_id": onPackage(),
    "DELETE /projects/:id/packages/:package_id/package_files/:package_file_id": async (_, { projectId }) => {
      const { id, fileId } = await makePackage(world, projectId);
      return { path: `/projects/${projectId}/packages/${id}/package_files/${fileId}` };
    },
    [`PUT ${folder}/:file_name`]: upload("app.bin"),
    [`PUT ${folder}/*path/:file_name`]: upload("linux/amd64/app.bin"),
    [`GET ${folder}/:file_name`]: download("app.bin"),
    [`GET ${folder}/*path/:file_name`]: download("linux/amd64/app.bin"),
  };
}
