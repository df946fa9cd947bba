/** The answer to a fetch, in pieces. It runs in a thread of its own. */

import { commitAt, commitHeadAt } from "../packing/ancestry.ts";
import { parseFilter } from "../packing/filter.ts";
import { TooMuchWork } from "../packing/limits.ts";
import { ObjectStore } from "../packing/object-store.ts";
import { ObjectWalk } from "../packing/object-walk.ts";
import { type OidTable, oidOf } from "../packing/oid-table.ts";
import { PackPieces } from "../packing/pack-pieces.ts";
import { PackWriter } from "../packing/pack-writer.ts";
import {
  FetchError,
  type FetchRequest,
  parseFetch0,
  parseFetch2,
  parseList,
  splitOnce,
} from "../transport/fetch-request.ts";
import {
  bandBytesMax,
  bandLine,
  delimiterPacket,
  flushPacket,
  type Packet,
  ProtocolError,
  packetLine,
  readPackets,
  textOfLine,
} from "../transport/pkt-line.ts";
import { listRefs2, RefList } from "./advertisement.ts";
import { negotiate } from "./negotiation.ts";
import { type ShallowHistory, shallowHistoryOf, tableOf } from "./shallow.ts";

/** An error of which the answer tells the client. */
export class ToldError extends Error {
  override readonly name = "ToldError";

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Bytes of the small band of old clients. */
const oldBandBytesMax = 995;

/**
 * Answers a POST to `git-upload-pack`. Throws `ProtocolError` before its first piece. `lookUps`: objects that it may look up to find
 * those that it sends, if not as many as the repository has some times.
 */
export async function* answerFetch(
  folder: string,
  body: Uint8Array,
  isVersion2: boolean,
  lookUps?: number,
): AsyncGenerator<Uint8Array> {
  const packets = await readPackets(body);
  if (packets.length === 0 || (packets.length === 1 && packets[0] === "flush")) return;
  using store = new ObjectStore(folder);
  store.limitLookUps(lookUps);
  try {
    if (!isVersion2) yield* fetchWith(store, parseFetch0(packets));
    else yield* answerCommand(store, packets);
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof TooMuchWork)) throw error;
    yield packetLine(`ERR ${error.message}`);
  }
}

async function* answerCommand(store: ObjectStore, packets: readonly Packet[]): AsyncGenerator<Uint8Array> {
  const [first] = packets;
  const [word, command] = first instanceof Buffer ? splitOnce(textOfLine(first), "=") : ["", ""];
  if (word !== "command") throw new ProtocolError("no command");
  const separator = packets.indexOf("delimiter");
  const parameters = separator === -1 ? [] : packets.slice(separator + 1);
  if (command === "ls-refs") yield listRefs2(await RefList.read(store), parseList(parameters));
  else if (command === "fetch") yield* fetchWith(store, parseFetch2(parameters));
  else throw new FetchError(`unknown command '${command.slice(0, 80)}'`);
}

async function* fetchWith(store: ObjectStore, request: FetchRequest): AsyncGenerator<Uint8Array> {
  if (request.wants.length === 0) return;
  const filter = request.filter === undefined ? undefined : parseFilter(request.filter);
  if (request.filter !== undefined && filter === undefined) {
    throw new FetchError(`invalid filter-spec '${request.filter}'`);
  }
  for (const want of request.wants) {
    if (store.find(oidOf(want)) === undefined) throw new FetchError(`upload-pack: not our ref ${want}`);
  }
  const refs = await RefList.read(store);
  const shallow = shallowHistoryOf(store, request, notCommitsOf(store, refs, request.notRefs));
  const { common, lines, sendsPack } = negotiate(store, request);
  if (!request.isVersion2) {
    yield* shallowLines(shallow, request.isVersion2);
    if (request.endsAtWants) return;
  }
  yield* lines;
  if (!sendsPack) {
    if (request.isVersion2) yield flushPacket;
    return;
  }
  if (request.isVersion2) {
    if (lines.length > 0) yield delimiterPacket;
    yield* shallowLines(shallow, request.isVersion2);
    yield packetLine("packfile\n");
  }
  const clientShallow = tableOf(request.shallow);
  const unshallowed = (shallow?.unshallow ?? []).flatMap((oid) => commitHeadAt(store, oidOf(oid)).parents);
  const walk = new ObjectWalk(store, {
    wants: [...request.wants.map(oidOf), ...unshallowed],
    haves: common.map(oidOf),
    clientShallow,
    newShallow: shallow?.shallow ?? clientShallow,
    filter,
  });
  const objects = walk.collect();
  if (request.features.has("include-tag")) addTags(refs, objects);
  // The list of objects to send is complete now, and has each object once.
  store.limitLookUps(Number.POSITIVE_INFINITY);
  yield* packLines(store, objects, request);
}

/** Version 2 has a section of its own; version 0 ends the lines with a flush. */
function* shallowLines(history: ShallowHistory | undefined, isVersion2: boolean): Generator<Uint8Array> {
  if (history === undefined) return;
  if (isVersion2) yield packetLine("shallow-info\n");
  for (const oid of history.newlyShallow) yield packetLine(`shallow ${oid}\n`);
  for (const oid of history.unshallow) yield packetLine(`unshallow ${oid}\n`);
  yield isVersion2 ? delimiterPacket : flushPacket;
}

function notCommitsOf(store: ObjectStore, refs: RefList, names: readonly string[]): Uint8Array[] {
  return names.map((name) => {
    const candidates = [name, `refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`];
    const oid = candidates.map((each) => refs.get(each)).find((each) => each !== undefined);
    const commit = oid === undefined ? undefined : commitAt(store, oidOf(oid));
    if (commit === undefined) throw new FetchError(`git upload-pack: deepen-not is not a ref: ${name}`);
    return commit;
  });
}

function addTags(refs: RefList, objects: OidTable): void {
  for (const tag of refs.tagsOf((oid) => objects.has(oidOf(oid)))) objects.add(oidOf(tag));
}

/** The pack in lines of a side band, or as it is for clients that know none. */
async function* packLines(store: ObjectStore, objects: OidTable, request: FetchRequest): AsyncGenerator<Uint8Array> {
  const { isVersion2, features } = request;
  const isLarge = isVersion2 || features.has("side-band-64k");
  const bytesMax = isLarge ? bandBytesMax : features.has("side-band") ? oldBandBytesMax : 0;
  const options = { hasOffsetDeltas: features.has("ofs-delta") };
  try {
    yield* new PackWriter(store, objects, options, new PackPieces(bytesMax)).pieces();
  } catch (error) {
    if (bytesMax === 0) throw error;
    yield bandLine(3, Buffer.from("fatal: the server could not read all objects of the repository\n"));
    throw new ToldError(error);
  }
  if (bytesMax > 0) yield flushPacket;
}
