import { Type } from "@sinclair/typebox";
import type { Caller } from "../../../domain/caller.ts";
import { Failure } from "../../../domain/failure.ts";
import { optional, text } from "../../../domain/parameters.ts";
import { infoRefs, type ReadOrder } from "../../../git/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type FileContent, file, operation } from "../../kernel/operation.ts";
import type { ContentCoding } from "../../kernel/raw-request.ts";
import { placeOf, readerOf, readRepository } from "../repositories/index.ts";
import { serverAgent } from "./agent.ts";
import { basicRealm, fetching, gitPath, plainText } from "./operations-plain-files.ts";
import {
  getOrCreateProjectToPush,
  getProjectToFetch,
  getProjectToPush,
  inPlainText,
  noUploadText,
  plainFailure,
} from "./service-access.ts";
import { receivePush } from "./service-push.ts";

const noStore = { "Cache-Control": "no-cache, max-age=0, must-revalidate" };
/** Bytes of a request that fetches, also of what it unpacks to. */
const fetchBytesMax = 24 << 20;
const codings: readonly ContentCoding[] = ["gzip", "deflate"];
const coded = {
  codings,
  codedBytesMax: fetchBytesMax,
  refuseSize: () => plainFailure("too_large", "The request is too large."),
  refuseUnreadable: () => plainFailure("invalid", "The request cannot be unpacked."),
} as const;

/** The version that the client asks for in `Git-Protocol`; others than 1 and 2 are as none. */
function versionOf(header: string | null): 0 | 1 | 2 {
  const versions = (header ?? "").split(":").map((part) => /^version=([12])$/.exec(part.trim())?.[1]);
  return versions.includes("2") ? 2 : versions.includes("1") ? 1 : 0;
}

/** Throws in plain text, as long as no byte of the answer was sent. */
function streamFrom(context: Context, caller: Caller, project: ProjectRecord, order: ReadOrder, gone: AbortSignal) {
  const { repositories, log } = context;
  const onTold = (error: Error) => log.error({ project_id: project.id, error: error.message }, "a fetch broke off");
  return inPlainText(repositories.transfers.stream(placeOf(project), readerOf(caller), order, gone, onTold));
}

export const gitTransportOperations = [
  operation({
    method: "GET",
    path: "/*path.git/info/refs",
    root: true,
    summary: "Fetch the refs of a repository, for a fetch or a push",
    who: "anyone",
    ...fetching,
    answer: file({ maxAgeS: 0 }),
    params: Type.Object({
      ...gitPath,
      service: optional(
        text({ description: "git-upload-pack to fetch, git-receive-pack to push; without it, a plain list" }),
      ),
    }),
    async handle({ context, caller, params, raw }): Promise<FileContent> {
      const { path, service } = params;
      if (service === undefined) {
        const project = getProjectToFetch(context, caller, path);
        return plainText(await readRepository(context, caller, project, infoRefs));
      }
      if (service !== "git-upload-pack" && service !== "git-receive-pack") {
        throw plainFailure("forbidden", "The command you're trying to execute is not allowed.");
      }
      const isPush = service === "git-receive-pack";
      const project = isPush
        ? await getOrCreateProjectToPush(context, caller, path)
        : getProjectToFetch(context, caller, path);
      if (isPush && !(await context.repositories.transfers.hasRoom(placeOf(project)))) {
        throw new Failure(
          "unavailable",
          { message: "The disk of this repository is nearly full." },
          { isPlainText: true, retryAfterSeconds: 60 },
        );
      }
      const order = {
        kind: "advertise",
        service: isPush ? "push" : "fetch",
        version: versionOf(raw.header("git-protocol")),
        agent: serverAgent,
      } as const;
      const content = await streamFrom(context, caller, project, order, raw.gone);
      return { contentType: `application/x-${service}-advertisement`, content, headers: noStore };
    },
  }),

  operation({
    method: "POST",
    path: "/*path.git/git-upload-pack",
    root: true,
    summary: "Fetch objects of a repository",
    who: "anyone",
    ...fetching,
    answer: file({ maxAgeS: 0 }),
    body: { sizeBytesMax: fetchBytesMax, types: ["application/x-git-upload-pack-request"], ...coded },
    params: Type.Object(gitPath),
    async handle({ context, caller, params, raw }): Promise<FileContent> {
      const project = getProjectToFetch(context, caller, params.path);
      const body = await raw.bytes();
      const order = { kind: "fetch", body, isVersion2: versionOf(raw.header("git-protocol")) === 2 } as const;
      const content = await streamFrom(context, caller, project, order, raw.gone);
      return { contentType: "application/x-git-upload-pack-result", content, headers: noStore };
    },
  }),

  operation({
    method: "POST",
    path: "/*path.git/git-receive-pack",
    root: true,
    summary: "Push to a repository",
    who: "signed_in",
    scopes: ["write_repository"],
    basicRealm,
    http: { insufficientScopeText: noUploadText },
    answer: file({ maxAgeS: 0 }),
    body: { sizeBytesMax: Number.MAX_SAFE_INTEGER, types: ["application/x-git-receive-pack-request"], ...coded },
    params: Type.Object(gitPath),
    async handle({ context, caller, params, raw, baseUrl }): Promise<FileContent> {
      const admitted = getProjectToPush(context, caller, params.path);
      const content = await inPlainText(receivePush(context, { ...admitted, path: params.path, baseUrl, raw }));
      return { contentType: "application/x-git-receive-pack-result", content, headers: noStore };
    },
  }),
];
