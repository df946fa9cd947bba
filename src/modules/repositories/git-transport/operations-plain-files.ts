import { Type } from "@sinclair/typebox";
import { notFound } from "../../../domain/failure.ts";
import { pathText, text } from "../../../domain/parameters.ts";
import { headFile, infoPacks, objectFile, type Repository } from "../../../git/index.ts";
import { type FileContent, file, type Operation, operation } from "../../kernel/operation.ts";
import { readRepository } from "../repositories/index.ts";
import { getProjectToFetch } from "./service-access.ts";

export const gitPath = { path: pathText({ description: "full path of the project, its slashes as they are" }) };
export const basicRealm = "outpost";

/** The fields that all operations that fetch share. */
export const fetching = {
  scopes: ["read_api", "read_repository", "write_repository"],
  basicRealm,
  takesJobToken: "repository",
  http: { insufficientScopeText: "You are not allowed to download code." },
} as const;

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
    ...fetching,
    params: Type.Object({ ...gitPath, ...(isObject ? { folder: text(), name: text() } : {}) }),
    answer: file({ maxAgeS: 0 }),
    async handle({ context, caller, params }) {
      const { folder = "", name = "" } = params as { folder?: string; name?: string };
      const project = getProjectToFetch(context, caller, params.path);
      const found = await readRepository(context, caller, project, (repository) => read(repository, { folder, name }));
      if (found === undefined) throw notFound();
      return found;
    },
  });
}

export const plainText = (content: string): FileContent => ({ contentType: "text/plain; charset=utf-8", content });

export const plainFileOperations = [
  plainFile("HEAD", "Fetch the HEAD of a repository", async (repository) => plainText(await headFile(repository))),
  plainFile("objects/info/packs", "Fetch the pack list of a repository", async (repository) =>
    plainText(await infoPacks(repository)),
  ),
  plainFile("objects/:folder/:name", "Fetch an object or a pack of a repository", (repository, { folder, name }) =>
    objectFile(repository, folder, name),
  ),
];
