import { type Json, rootToken, type World } from "../../../support/fixtures/world.ts";
import { folderOf, git, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

export type Attributes = Readonly<Record<string, unknown>>;

/** A new project, and its commits as one of its members asks for them. */
export async function projectWith(world: World, role: Parameters<typeof addMember>[3], attributes: Attributes = {}) {
  const project = await makeProject(world, attributes);
  const person = await world.user();
  addMember(world, project, person, role, "project");
  return { ...project, person, ...commitsOf(world, project.id, person.token) };
}

/** The commits of a project, asked for with a token; and what git says of its repository. */
export function commitsOf(world: World, id: number, token: string | undefined = rootToken) {
  const path = `/projects/${id}/repository/commits`;
  const commit = async (actions: readonly object[], json: Attributes = {}) =>
    world.call("POST", path, { token, json: { branch: "main", commit_message: "Change files", actions, ...json } });
  return {
    path,
    commit,
    /** Commits files by their contents, and returns the id. */
    write: async (files: Readonly<Record<string, string>>, json: Attributes = {}): Promise<string> => {
      const actions = Object.entries(files).map(([file_path, content]) => ({ action: "create", file_path, content }));
      const { status, body, text } = await commit(actions, json);
      if (status !== 201) throw new Error(`no commit: ${status} ${text}`);
      return body.id;
    },
    post: (end: string, json: Attributes = {}) => world.call("POST", `${path}/${end}`, { token, json }),
    get: (end: string, query: Readonly<Record<string, string | number | boolean>> = {}) =>
      world.call("GET", `${path}/${end}`, { token, query }),
    git: async (...args: string[]) => (await git(["-C", folderOf(world, id), ...args])).trimEnd(),
    /** `MODE PATH` of each file of a revision. */
    files: async (revision = "main") => {
      const listed = await git([
        "-C",
        folderOf(world, id),
        "ls-tree",
        "-r",
        "--format=%(objectmode) %(path)",
        revision,
      ]);
      return listed.trimEnd().split("\n").filter(Boolean);
    },
  };
}

export const messageOf = ({ status, body }: { readonly status: number; readonly body: Json }) => [status, body.message];
