import { accessLevels } from "../../../../src/domain/access-level.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import type { MakeSample, Place, Sample, Samples, Scene, SpecialSample } from "../scene.ts";

const branch = "main";

export function repositorySamples(scene: Scene): Samples {
  const { world, fresh } = scene;
  const filled = new Map<number, Promise<void>>();

  const write = async (place: Place, path: string) => {
    const json = { branch, content: path, commit_message: "Add a file" };
    const at = `/projects/${place.projectId}/repository/files/${path}`;
    const { status, text } = await world.call("POST", at, { token: rootToken, json });
    if (status !== 201) throw new Error(`no file: ${status} ${text}`);
  };
  /** Each place has a first commit with `a.txt`, and a tag. */
  const fill = (place: Place) => {
    let filling = filled.get(place.projectId);
    if (filling === undefined) {
      filling = write(place, "a.txt").then(async () => {
        const json = { tag_name: "v1", ref: branch };
        await world.call("POST", `/projects/${place.projectId}/repository/tags`, { token: rootToken, json });
      });
      filled.set(place.projectId, filling);
    }
    return filling;
  };
  const at = (end: (place: Place) => string | Promise<string>, json?: () => object): MakeSample => {
    return async (_, place): Promise<Sample> => {
      await fill(place);
      const path = `/projects/${place.projectId}/repository/${await end(place)}`;
      return json === undefined ? { path } : { path, options: { json: json() } };
    };
  };
  const made = async (place: Place, kind: "branches" | "tags") => {
    const name = fresh();
    const json = { branch: name, tag_name: name, ref: branch };
    await world.call("POST", `/projects/${place.projectId}/repository/${kind}`, { token: rootToken, json });
    return `${kind}/${name}`;
  };
  const writtenFile = async (place: Place) => {
    const path = fresh();
    await write(place, path);
    return `files/${path}`;
  };
  /** Members below reporter cannot read the code of a private project. */
  const reading = (end: string): SpecialSample => ({
    make: at(() => end),
    expected: ({ level }, { visibility }) =>
      visibility === "private" && level < accessLevels.reporter ? 403 : undefined,
  });
  const commit = () => ({ branch, content: fresh(), commit_message: "Change a file" });
  const fetching = (end: string): MakeSample => {
    return async (_, place) => {
      await fill(place);
      return { path: `/place-${place.visibility}/project.git/${end}` };
    };
  };

  return {
    "POST /projects/:id/repository/files/:file_path": at(() => `files/${fresh()}`, commit),
    "PUT /projects/:id/repository/files/:file_path": at(() => "files/a.txt", commit),
    "DELETE /projects/:id/repository/files/:file_path": at(writtenFile, commit),
    "GET /projects/:id/repository/files/:file_path": reading("files/a.txt?ref=main"),
    "GET /projects/:id/repository/files/:file_path/raw": reading("files/a.txt/raw"),
    "GET /projects/:id/repository/branches": reading("branches"),
    "GET /projects/:id/repository/branches/:branch": reading("branches/main"),
    "POST /projects/:id/repository/branches": at(
      () => "branches",
      () => ({ branch: fresh(), ref: branch }),
    ),
    "DELETE /projects/:id/repository/branches/:branch": at((place) => made(place, "branches")),
    "PUT /projects/:id/repository/branches/:branch/protect": at(
      async (place) => `${await made(place, "branches")}/protect`,
    ),
    "PUT /projects/:id/repository/branches/:branch/unprotect": at(
      async (place) => `${await made(place, "branches")}/unprotect`,
    ),
    "DELETE /projects/:id/repository/merged_branches": at(() => "merged_branches"),
    "GET /projects/:id/repository/tags": reading("tags"),
    "GET /projects/:id/repository/tags/:tag_name": reading("tags/v1"),
    "POST /projects/:id/repository/tags": at(
      () => "tags",
      () => ({ tag_name: fresh(), ref: branch }),
    ),
    "DELETE /projects/:id/repository/tags/:tag_name": at((place) => made(place, "tags")),
    "GET /projects/:id/repository/tree": reading("tree"),
    "GET /projects/:id/repository/commits": reading("commits"),
    "GET /projects/:id/repository/commits/:sha": reading("commits/main"),
    "GET /*path.git/info/refs": fetching("info/refs"),
    "GET /*path.git/HEAD": fetching("HEAD"),
    "GET /*path.git/objects/info/packs": fetching("objects/info/packs"),
    "GET /*path.git/objects/:folder/:name": async (_, place) => {
      await fill(place);
      const { body } = await world.get(`/projects/${place.projectId}/repository/commits/main`);
      return { path: `/place-${place.visibility}/project.git/objects/${body.id.slice(0, 2)}/${body.id.slice(2)}` };
    },
    "POST /*path.git/git-upload-pack": async (_, place) => {
      await fill(place);
      const headers = { "Content-Type": "application/x-git-upload-pack-request" };
      const path = `/place-${place.visibility}/project.git/git-upload-pack`;
      return { path, options: { headers, raw: "0000" } };
    },
    "POST /*path.git/git-receive-pack": async ({ id, username }) => {
      const name = fresh();
      await world.call("POST", `/projects/user/${id}`, { token: rootToken, json: { name } });
      const headers = { "Content-Type": "application/x-git-receive-pack-request" };
      return { path: `/${username}/${name}.git/git-receive-pack`, options: { headers, raw: "0000" } };
    },
  };
}
