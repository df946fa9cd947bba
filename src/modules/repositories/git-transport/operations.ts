import { Type } from "@sinclair/typebox";
import { optional, text } from "../../../domain/parameters.ts";
import { infoRefs, ProtocolError } from "../../../git/index.ts";
import { type FileContent, file, operation } from "../../kernel/operation.ts";
import type { ContentCoding } from "../../kernel/raw-request.ts";
import { placeOf, readerOf, readRepository } from "../repositories/index.ts";
import { serverAgent } from "./agent.ts";
import { basicRealm, gitPath, plainText } from "./operations-plain-files.ts";
import { projectToFetch, projectToPush, refuse } from "./service-access.ts";
import { receivePush } from "./service-push.ts";

const noStore = { "Cache-Control": "no-cache, max-age=0, must-revalidate" };
/** Bytes of a request that fetches, also of what it unpacks to. */
const fetchBytesMax = 64 << 20;
const codings: readonly ContentCoding[] = ["gzip", "deflate"];

const transport = {
  root: true,
  who: "anyone",
  scopes: "any",
  basicRealm,
  takesJobToken: "repository",
  answer: file({ maxAgeS: 0 }),
} as const;

/** The version that the client asks for in `Git-Protocol`; others than 1 and 2 are as none. */
function versionOf(header: string | null): 0 | 1 | 2 {
  const versions = (header ?? "").split(":").map((part) => /^version=([12])$/.exec(part.trim())?.[1]);
  return versions.includes("2") ? 2 : versions.includes("1") ? 1 : 0;
}

export const gitTransportOperations = [
  operation({
    ...transport,
    method: "GET",
    path: "/*path.git/info/refs",
    summary: "Fetch the refs of a repository, for a fetch or a push",
    params: Type.Object({
      ...gitPath,
      service: optional(
        text({ description: "git-upload-pack to fetch, git-receive-pack to push; without it, a plain list" }),
      ),
    }),
    async handle({ context, caller, params, raw }): Promise<FileContent> {
      const { path, service } = params;
      if (service === undefined) {
        const project = projectToFetch(context, caller, path);
        return plainText(await readRepository(context, caller, project, infoRefs));
      }
      if (service !== "git-upload-pack" && service !== "git-receive-pack") {
        throw refuse("forbidden", "The command you're trying to execute is not allowed.");
      }
      const isPush = service === "git-receive-pack";
      const project = isPush ? projectToPush(context, caller, path).project : projectToFetch(context, caller, path);
      const order = {
        kind: "advertise",
        service: isPush ? "push" : "fetch",
        version: versionOf(raw.header("git-protocol")),
        agent: serverAgent,
      } as const;
      const content = await context.repositories.stream(placeOf(project), readerOf(caller), order, raw.gone);
      return { contentType: `application/x-${service}-advertisement`, content, headers: noStore };
    },
  }),

  operation({
    ...transport,
    method: "POST",
    path: "/*path.git/git-upload-pack",
    summary: "Fetch objects of a repository",
    body: { sizeBytesMax: fetchBytesMax, types: ["application/x-git-upload-pack-request"], codings },
    params: Type.Object(gitPath),
    async handle({ context, caller, params, raw }): Promise<FileContent> {
      const project = projectToFetch(context, caller, params.path);
      const body = await raw.bytes();
      const order = { kind: "fetch", body, isVersion2: versionOf(raw.header("git-protocol")) === 2 } as const;
      const content = await context.repositories.stream(placeOf(project), readerOf(caller), order, raw.gone);
      return { contentType: "application/x-git-upload-pack-result", content, headers: noStore };
    },
  }),

  operation({
    ...transport,
    method: "POST",
    path: "/*path.git/git-receive-pack",
    summary: "Push to a repository",
    body: { sizeBytesMax: Number.MAX_SAFE_INTEGER, types: ["application/x-git-receive-pack-request"], codings },
    params: Type.Object(gitPath),
    async handle({ context, caller, params, raw, baseUrl }): Promise<FileContent> {
      const admitted = projectToPush(context, caller, params.path);
      try {
        const content = await receivePush(context, { ...admitted, baseUrl, raw });
        return { contentType: "application/x-git-receive-pack-result", content, headers: noStore };
      } catch (error) {
        if (error instanceof ProtocolError) throw refuse("invalid", error.message);
        throw error;
      }
    },
  }),
];
