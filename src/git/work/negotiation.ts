/** Finds what client and server have in common (gitprotocol-pack, gitprotocol-v2). */

import { commitAt, commitHeadAt, reachesAny } from "../packing/ancestry.ts";
import type { ObjectStore } from "../packing/object-store.ts";
import { OidTable, oidOf } from "../packing/oid-table.ts";
import type { FetchRequest } from "../transport/fetch-request.ts";
import { packetLine } from "../transport/pkt-line.ts";

/** Commits that are looked at for one request; a client that goes on to tell what it has comes to the same pack. */
const walkedCommitsMax = 100_000;

/** The answer to the haves of a request. */
export interface Negotiation {
  /** Objects that both sides have. */
  readonly common: readonly string[];
  /** Lines of the answer. */
  readonly lines: readonly Buffer[];
  /** The pack follows in this answer. */
  readonly sendsPack: boolean;
}

/** Version 2 has its lines in a section, and none of them once the client is done. */
export function negotiate(store: ObjectStore, request: FetchRequest): Negotiation {
  const common = request.haves.filter((oid) => store.find(oidOf(oid)) !== undefined);
  const isReady = () => common.length > 0 && reachesAll(store, request.wants, common);
  return request.isVersion2 ? answer2(request, common, isReady) : answer0(request, common, isReady);
}

function answer2(request: FetchRequest, common: readonly string[], isReady: () => boolean): Negotiation {
  if (request.isDone || request.haves.length === 0) return { common, lines: [], sendsPack: true };
  const ready = isReady();
  const lines = [packetLine("acknowledgments\n")];
  if (common.length === 0) lines.push(packetLine("NAK\n"));
  for (const oid of common) lines.push(packetLine(`ACK ${oid}\n`));
  if (ready) lines.push(packetLine("ready\n"));
  return { common, lines, sendsPack: ready && !request.features.has("wait-for-done") };
}

function answer0(request: FetchRequest, common: readonly string[], isReady: () => boolean): Negotiation {
  const { features } = request;
  const last = common.at(-1);
  const isDetailed = features.has("multi_ack_detailed");
  const isMulti = isDetailed || features.has("multi_ack");
  const lines: Buffer[] = [];
  if (isMulti) for (const oid of common) lines.push(packetLine(`ACK ${oid} ${isDetailed ? "common" : "continue"}\n`));
  else if (common[0] !== undefined && !request.isDone) lines.push(packetLine(`ACK ${common[0]}\n`));
  if (request.isDone) {
    lines.push(packetLine(last === undefined ? "NAK\n" : `ACK ${last}\n`));
    return { common, lines, sendsPack: true };
  }
  const ready = isDetailed && isReady();
  if (ready && last !== undefined) lines.push(packetLine(`ACK ${last} ready\n`));
  if (last === undefined || isMulti) lines.push(packetLine("NAK\n"));
  if (ready && features.has("no-done")) {
    lines.push(packetLine(`ACK ${last}\n`));
    return { common, lines, sendsPack: true };
  }
  return { common, lines, sendsPack: false };
}

/** Whether each wanted commit has one in common among its ancestors: more haves would hardly make the pack smaller. */
function reachesAll(store: ObjectStore, wants: readonly string[], common: readonly string[]): boolean {
  const known = new OidTable();
  let oldest = Number.POSITIVE_INFINITY;
  for (const oid of common) {
    const commit = commitAt(store, oidOf(oid));
    if (commit === undefined) continue;
    known.add(commit);
    oldest = Math.min(oldest, commitHeadAt(store, commit).time);
  }
  const budget = { commits: walkedCommitsMax };
  return [...new Set(wants)].every((want) => {
    const commit = commitAt(store, oidOf(want));
    return commit === undefined || reachesAny(store, commit, known, oldest, budget);
  });
}
