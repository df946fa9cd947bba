import type { SignedInCaller } from "../../../domain/caller.ts";
import { Failure } from "../../../domain/failure.ts";
import {
  bandLine,
  branchPrefix,
  noOid,
  PackError,
  PacketReader,
  type PushRequest,
  type Quarantine,
  type Received,
  type RepositoryWriter,
  readPush,
} from "../../../git/index.ts";
import { settingsOf } from "../../core/application-settings/index.ts";
import { Quotas } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { RawRequest } from "../../kernel/raw-request.ts";
import { protectedBranchTest } from "../protected-branches/index.ts";
import { placeOf, readerOf, recordPack, requestRoomForPack, writeRepository } from "../repositories/index.ts";
import { accessRefusal, commandFault } from "./push-checks.ts";
import { addressNotices } from "./push-notices.ts";
import { type PushReport, renderReport } from "./push-report.ts";
import { plainFailure } from "./service-access.ts";
import { updateRefs } from "./service-update-refs.ts";

const declined = "pre-receive hook declined";
/** A server that works on a push says so to the client this often. */
const aliveMs = 5_000;

/** A push of a caller who may push to the project. */
export interface IncomingPush {
  readonly caller: SignedInCaller;
  readonly project: ProjectRecord;
  /** The path that the client used, which may be a former one. */
  readonly path: string;
  readonly baseUrl: string;
  readonly raw: RawRequest;
}

/** Reads a push to its end, and returns the answer, which comes when it is carried out. Throws `ProtocolError`. */
export async function receivePush(
  context: Context,
  push: IncomingPush,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>> {
  const reader = new PacketReader(await bodyOf(push.raw));
  const request = await readPush(reader);
  // Clients ask without commands whether their credentials are good.
  if (request === undefined) return new Uint8Array();
  if (await requestRoomForPack(context, push.project)) throw tooManyPacks();
  const quarantine = await context.repositories.transfers.quarantine(placeOf(push.project));
  try {
    const bytes = context.get(Quotas).limit(`project ${push.project.id}`, reader.rest());
    const mebibytesMax = settingsOf(context).receive_max_input_size ?? 0;
    const refusal = await writePack(
      quarantine,
      bytes,
      mebibytesMax === 0 ? Number.POSITIVE_INFINITY : mebibytesMax * 1024 ** 2,
    );
    const work = async () => {
      try {
        return refusal === undefined
          ? await carryOut(context, push, request, quarantine)
          : packRefused(request, refusal);
      } finally {
        await quarantine[Symbol.asyncDispose]();
      }
    };
    return answerWhileWorking(request, work, push.raw.gone, (error) =>
      context.log.error({ project_id: push.project.id, error: String(error) }, "a push failed"),
    );
  } catch (error) {
    await quarantine[Symbol.asyncDispose]();
    throw error;
  }
}

function tooManyPacks(): Failure {
  const message = "The repository has too many packs. They are being joined: push again in a minute.";
  return new Failure("unavailable", { message }, { isPlainText: true, retryAfterSeconds: 60 });
}

/** Only small bodies are compressed. */
async function bodyOf(raw: RawRequest): Promise<AsyncIterable<Uint8Array>> {
  if (raw.header("content-encoding") === null) return raw.stream();
  const bytes = await raw.bytes();
  return (async function* () {
    yield bytes;
  })();
}

/** The reason why the pack is refused. Throws 507 in plain text when there is no room for it. */
async function writePack(
  quarantine: Quarantine,
  bytes: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<string | undefined> {
  try {
    await quarantine.write(bytes, bytesMax);
    return undefined;
  } catch (error) {
    if (error instanceof PackError) return error.message;
    if (error instanceof Failure && error.kind === "no_room") throw plainFailure(error.kind, error.message);
    throw error;
  }
}

function packRefused({ commands }: PushRequest, reason: string): PushReport {
  return { unpack: reason, refusals: commands.map(() => "unpacker error"), messages: [] };
}

async function carryOut(
  context: Context,
  { caller, project, path, baseUrl, raw }: IncomingPush,
  request: PushRequest,
  quarantine: Quarantine,
): Promise<PushReport> {
  const { commands } = request;
  const hasPack = commands.some(({ after }) => after !== noOid);
  const order = {
    pack: hasPack ? quarantine.pack : undefined,
    commands,
    protectedRefs: protectedRefsOf(context, project, request),
    defaultBranch: project.default_branch ?? undefined,
  };
  const received = await context.repositories.transfers.receive(placeOf(project), readerOf(caller), order, raw.gone);
  if (received.refusal !== undefined) return packRefused(request, received.refusal);
  const isShallow = request.shallow.length > 0;
  const faults = commands.map((command, at) => commandFault(command, received.refs[at], isShallow));
  try {
    return await writeRepository(context, caller, project, async (writer, now) => {
      const refused = await refusalsOf(context, { caller, project: now, baseUrl }, writer, request, received);
      if (refused.length > 0) return declinedAll(request, refused);
      const { refusals, texts } = await updateRefs(context, { caller, project: now, baseUrl }, writer, {
        ...{ request, received, faults },
        install: () => install(context, writer, now, quarantine, received),
      });
      const isTaken = refusals.includes(undefined);
      const messages = isTaken ? addressNotices(context, { caller, project: now, path, baseUrl }) : [];
      return { unpack: "ok", refusals, messages: [...texts.map(said), ...messages] };
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return declinedAll(request, [error.message]);
  }
}

/** The branches of which a rule may say that they are not to be forced. */
function protectedRefsOf(context: Context, project: ProjectRecord, { commands }: PushRequest): string[] {
  const isProtected = protectedBranchTest(context, project);
  const refs = commands.map(({ ref }) => ref).filter((ref) => ref.startsWith(branchPrefix));
  return refs.filter((ref) => isProtected(ref.slice(branchPrefix.length)));
}

async function refusalsOf(
  context: Context,
  scene: { readonly caller: SignedInCaller; readonly project: ProjectRecord; readonly baseUrl: string },
  writer: RepositoryWriter,
  { commands }: PushRequest,
  { refs }: Received,
): Promise<string[]> {
  const isEmpty = (await writer.branches()).size === 0;
  const default_branch = scene.project.default_branch ?? (await writer.headBranch()) ?? null;
  const project = { ...scene.project, default_branch };
  const found = new Set<string>();
  for (const [at, command] of commands.entries()) {
    const refusal = await accessRefusal(context, { ...scene, project, isEmpty }, command, refs[at]);
    if (refusal !== undefined) found.add(refusal);
  }
  return [...found];
}

/** One ref that is refused declines the whole push. */
function declinedAll({ commands }: PushRequest, texts: readonly string[]): PushReport {
  return { unpack: "ok", refusals: commands.map(() => declined), messages: texts.map(said) };
}

function said(text: string): string {
  return `Outpost: ${text}`;
}

async function install(
  context: Context,
  writer: RepositoryWriter,
  project: ProjectRecord,
  quarantine: Quarantine,
  { pack }: Received,
): Promise<void> {
  if (pack === undefined || pack.objects === 0) return;
  context.get(Quotas).requireRoom(`project ${project.id}`, pack.bytes);
  recordPack(context, writer, project, await writer.installPack(quarantine.pack, pack));
}

/** The report as a stream; an empty message every few seconds keeps the connection. An error ends it as git's protocol says. */
function answerWhileWorking(
  request: PushRequest,
  work: () => Promise<PushReport>,
  gone: AbortSignal,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const hasBands = request.capabilities.has("side-band-64k");
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async start(controller) {
      timer = setInterval(() => {
        if (hasBands) controller.enqueue(new Uint8Array(bandLine(2, new Uint8Array())));
      }, aliveMs);
      try {
        controller.enqueue(new Uint8Array(renderReport(request, await work())));
        controller.close();
      } catch (error) {
        if (gone.aborted) return;
        onFailure(error);
        if (!hasBands) return controller.error(error);
        controller.enqueue(new Uint8Array(bandLine(3, Buffer.from("fatal: the server could not finish the push\n"))));
        controller.close();
      } finally {
        clearInterval(timer);
      }
    },
    // The refs may be switched after the client has gone; a closed stream takes no messages.
    cancel: () => clearInterval(timer),
  });
}
