import { Type } from "@sinclair/typebox";
import type { Caller } from "../../../domain/caller.ts";
import { Failure, forbidden, notFound, ProjectMoved, unauthenticated } from "../../../domain/failure.ts";
import { optional, pathText, text } from "../../../domain/parameters.ts";
import { headFile, infoPacks, infoRefs, objectFile, type Repository } from "../../../git/index.ts";
import { canReadCode, getProject } from "../../core/access/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type FileContent, file, type Operation, operation } from "../../kernel/operation.ts";
import { readRepository } from "./service-repository-access.ts";

const basicRealm = "outpost";
const InPath = { path: pathText({ description: "full path of the project, its slashes as they are" }) };
/** Git shows people the reason only if it is plain text. */
const pushRefusal = new Failure(
  "forbidden",
  { message: "git over HTTP serves fetches only: change the repository through the API" },
  { isPlainText: true },
);

/** The project of a path, or of a former one, if the caller may read its code. Errors do not reveal private projects. */
function projectAt(context: Context, caller: Caller, path: string): ProjectRecord {
  const project = visibleProject(context, caller, path);
  if (project !== undefined && canReadCode(context, caller.user, project)) return project;
  if (caller.user === undefined) throw unauthenticated();
  throw project === undefined ? notFound("Project") : forbidden();
}

function visibleProject(context: Context, caller: Caller, path: string): ProjectRecord | undefined {
  try {
    return path.includes("/") ? getProject(context, caller, path) : undefined;
  } catch (error) {
    if (error instanceof ProjectMoved) return context.store.of(projects).get(error.projectId);
    if (error instanceof Failure && error.kind === "not_found") return undefined;
    throw error;
  }
}

/** Files of a repository, for clients that fetch without a server that knows git (storage-moves 5). */
function plainFile(
  end: string,
  summary: string,
  read: (repository: Repository, params: { folder: string; name: string }) => Promise<FileContent | undefined>,
): Operation {
  const isObject = end.includes(":");
  return operation({
    method: "GET",
    path: `/*path.git/${end}`,
    root: true,
    summary,
    who: "anyone",
    scopes: ["read_repository", "write_repository"],
    basicRealm,
    takesJobToken: "repository",
    params: Type.Object({
      ...InPath,
      ...(isObject ? { folder: text(), name: text() } : {}),
      service: optional(text({ description: "git-receive-pack, which wants to push, is refused" })),
    }),
    answer: file({ maxAgeS: 0 }),
    async handle({ context, caller, params }) {
      if (params.service === "git-receive-pack") throw pushRefusal;
      const { folder = "", name = "" } = params as { folder?: string; name?: string };
      const project = projectAt(context, caller, params.path);
      const found = await readRepository(context, caller, project, (repository) => read(repository, { folder, name }));
      if (found === undefined) throw notFound();
      return found;
    },
  });
}

const plain = (content: string): FileContent => ({ contentType: "text/plain; charset=utf-8", content });

export const rawGitOperations = [
  plainFile("info/refs", "Fetch the refs of a repository", async (repository) => plain(await infoRefs(repository))),
  plainFile("HEAD", "Fetch the HEAD of a repository", async (repository) => plain(await headFile(repository))),
  plainFile("objects/info/packs", "Fetch the pack list of a repository", async (repository) =>
    plain(await infoPacks(repository)),
  ),
  plainFile("objects/:folder/:name", "Fetch an object or a pack of a repository", (repository, { folder, name }) =>
    objectFile(repository, folder, name),
  ),

  operation({
    method: "POST",
    path: "/*path.git/git-receive-pack",
    root: true,
    summary: "Push to a repository (always refused)",
    who: "anyone",
    scopes: "any",
    basicRealm,
    body: "ignored",
    params: Type.Object(InPath),
    answer: file({ maxAgeS: 0 }),
    handle(): never {
      throw pushRefusal;
    },
  }),
];
