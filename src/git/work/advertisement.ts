/** The lists of refs that git clients begin with (gitprotocol-http, gitprotocol-v2). */

import { noOid } from "../git.ts";
import { peeledOf } from "../packing/ancestry.ts";
import type { ObjectStore } from "../packing/object-store.ts";
import { hexOf, oidOf } from "../packing/oid-table.ts";
import { branchPrefix, listRefs, readHead, tagPrefix } from "../refs.ts";
import type { ListRequest } from "../transport/fetch-request.ts";
import { flushPacket, packetLine } from "../transport/pkt-line.ts";

/** Refs that no client sees. */
const hiddenPrefixes = ["refs/keep-around/", "refs/tmp/"];

const fetchCapabilities =
  "multi_ack thin-pack side-band side-band-64k ofs-delta shallow deepen-since deepen-not deepen-relative no-progress " +
  "include-tag multi_ack_detailed no-done allow-tip-sha1-in-want allow-reachable-sha1-in-want filter";
const pushCapabilities = "report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options";

/** A ref as it is listed. */
interface ListedRef {
  readonly name: string;
  readonly oid: string;
  /** The object that an annotated tag leads to. */
  readonly peeled: string | undefined;
}

/** Reads the refs of a repository at one instant. */
export class RefList {
  readonly #store: ObjectStore;
  readonly #refs: ReadonlyMap<string, string>;
  readonly head: string | undefined;

  private constructor(store: ObjectStore, refs: ReadonlyMap<string, string>, head: string | undefined) {
    this.#store = store;
    this.#refs = refs;
    this.head = head;
  }

  static async read(store: ObjectStore): Promise<RefList> {
    const all = await listRefs(store.folder, "refs/");
    const refs = new Map([...all].filter(([name]) => !hiddenPrefixes.some((prefix) => name.startsWith(prefix))));
    return new RefList(store, refs, await readHead(store.folder));
  }

  get size(): number {
    return this.#refs.size;
  }

  /** The object of the branch that `HEAD` names; undefined when it is not there. */
  get headOid(): string | undefined {
    return this.head === undefined ? undefined : this.#refs.get(`${branchPrefix}${this.head}`);
  }

  get(name: string): string | undefined {
    return name === "HEAD" ? this.headOid : this.#refs.get(name);
  }

  /** Refs by their names, in the order of bytes. */
  *listed(peels: boolean, prefixes: readonly string[] = []): Generator<ListedRef> {
    const isWanted = prefixMatcher(prefixes);
    for (const [name, oid] of this.#refs) {
      if (!isWanted(name)) continue;
      yield { name, oid, peeled: peels && name.startsWith(tagPrefix) ? this.#peeled(oid) : undefined };
    }
  }

  /** Annotated tags of an object in a set, for clients that want them with it. */
  *tagsOf(isSent: (oid: string) => boolean): Generator<string> {
    for (const { oid, peeled } of this.listed(true)) if (peeled !== undefined && isSent(peeled)) yield oid;
  }

  #peeled(start: string): string | undefined {
    const found = peeledOf(this.#store, oidOf(start));
    const oid = found === undefined ? start : hexOf(found);
    return oid === start ? undefined : oid;
  }
}

/** Whether a name begins with one of the prefixes; without any, each does. Many cost no more than few. */
function prefixMatcher(prefixes: readonly string[]): (name: string) => boolean {
  const all = new Set(prefixes);
  const lengths = [...new Set(prefixes.map(({ length }) => length))];
  return (name) => all.size === 0 || lengths.some((length) => length <= name.length && all.has(name.slice(0, length)));
}

/** Version 0 or 1 for a client that fetches. */
export function fetchAdvertisement(refs: RefList, version: 0 | 1, agent: string): Buffer {
  const symref = refs.headOid === undefined ? "" : ` symref=HEAD:${branchPrefix}${refs.head}`;
  return advertised(
    "git-upload-pack",
    version,
    fetchLines(refs),
    `${fetchCapabilities}${symref} object-format=sha1 agent=${agent}`,
  );
}

function* fetchLines(refs: RefList): Generator<string> {
  if (refs.headOid !== undefined) yield `${refs.headOid} HEAD`;
  for (const { name, oid, peeled } of refs.listed(true)) {
    yield `${oid} ${name}`;
    if (peeled !== undefined) yield `${peeled} ${name}^{}`;
  }
}

/** A client that pushes gets version 0, whatever it asks for. */
export function pushAdvertisement(refs: RefList, agent: string): Buffer {
  return advertised("git-receive-pack", 0, pushLines(refs), `${pushCapabilities} object-format=sha1 agent=${agent}`);
}

function* pushLines(refs: RefList): Generator<string> {
  for (const { name, oid } of refs.listed(false)) yield `${oid} ${name}`;
}

function advertised(service: string, version: 0 | 1, refs: Iterable<string>, capabilities: string): Buffer {
  const lines: Buffer[] = [packetLine(`# service=${service}\n`), flushPacket];
  if (version === 1) lines.push(packetLine("version 1\n"));
  let isFirst = true;
  for (const ref of refs) {
    lines.push(packetLine(isFirst ? `${ref}\0${capabilities}\n` : `${ref}\n`));
    isFirst = false;
  }
  if (isFirst) lines.push(packetLine(`${noOid} capabilities^{}\0${capabilities}\n`));
  return Buffer.concat([...lines, flushPacket]);
}

/** Version 2: what the server can do. The refs come by `ls-refs`. */
export function capabilities2(agent: string): Buffer {
  const lines = [
    "version 2",
    `agent=${agent}`,
    "ls-refs=unborn",
    "fetch=shallow wait-for-done filter",
    "server-option",
    "object-format=sha1",
  ];
  return Buffer.concat([...lines.map((line) => packetLine(`${line}\n`)), flushPacket]);
}

/** The answer to `ls-refs`. */
export function listRefs2(refs: RefList, { prefixes, peels, hasSymrefs, hasUnborn }: ListRequest): Buffer {
  const lines: Buffer[] = [];
  const isWanted = prefixMatcher(prefixes)("HEAD");
  const target = hasSymrefs && refs.head !== undefined ? ` symref-target:${branchPrefix}${refs.head}` : "";
  if (isWanted && refs.headOid !== undefined) lines.push(packetLine(`${refs.headOid} HEAD${target}\n`));
  else if (isWanted && hasUnborn && refs.head !== undefined) {
    lines.push(packetLine(`unborn HEAD symref-target:${branchPrefix}${refs.head}\n`));
  }
  for (const { name, oid, peeled } of refs.listed(peels, prefixes)) {
    lines.push(packetLine(`${oid} ${name}${peeled === undefined ? "" : ` peeled:${peeled}`}\n`));
  }
  return Buffer.concat([...lines, flushPacket]);
}
