/** The requests of a client that fetches, as git's protocol has them in versions 0 and 2. */

import { isOid } from "../refs.ts";
import { type Packet, ProtocolError, textOfLine } from "./pkt-line.ts";

/** The request of a client that fetches, the same for each version of the protocol. */
export interface FetchRequest {
  readonly isVersion2: boolean;
  readonly wants: readonly string[];
  readonly haves: readonly string[];
  /** The client has no more commits to tell: the pack is to be sent. */
  readonly isDone: boolean;
  /** Commits whose parents the client does not have. */
  readonly shallow: readonly string[];
  /** The depth of the history that is wanted. */
  readonly depth: number | undefined;
  /** Counts the depth from where the client's history ends. */
  readonly isDepthRelative: boolean;
  /** Seconds since 1970. */
  readonly since: number | undefined;
  /** Refs whose history is not wanted. */
  readonly notRefs: readonly string[];
  readonly filter: string | undefined;
  /** Version 0: capabilities; version 2: arguments without a value. */
  readonly features: ReadonlySet<string>;
  /** Version 0: nothing came behind the wants. The client only asks for the ends of its shallow history. */
  readonly endsAtWants: boolean;
}

/** A request that names something that is not served. The client prints the message. */
export class FetchError extends Error {
  override readonly name = "FetchError";
}

const wantsMax = 200_000;
const havesMax = 200_000;
const notRefsMax = 1_000;
export const depthInfinite = 2_147_483_647;

class Builder {
  wants: string[] = [];
  haves: string[] = [];
  shallow: string[] = [];
  notRefs: string[] = [];
  readonly features = new Set<string>();
  isDone = false;
  isDepthRelative = false;
  endsAtWants = false;
  depth: number | undefined;
  since: number | undefined;
  filter: string | undefined;

  readonly isVersion2: boolean;

  constructor(isVersion2: boolean) {
    this.isVersion2 = isVersion2;
  }

  /** Reads one line. Throws `ProtocolError` for a line that is none of a fetch. */
  take(line: string): void {
    const [word = "", value = ""] = splitOnce(line, " ");
    if (word === "want") this.#add(this.wants, value, wantsMax);
    else if (word === "have") this.#add(this.haves, value, havesMax);
    else if (word === "shallow") this.#add(this.shallow, value, havesMax);
    else if (word === "deepen") this.depth = positive(value);
    else if (word === "deepen-since") this.since = positive(value);
    else if (word === "deepen-not" && this.notRefs.length < notRefsMax) this.notRefs.push(value.slice(0, 1_000));
    else if (word === "filter") this.filter = value.slice(0, 1_000);
    else if (line === "done") this.isDone = true;
    else if (line === "deepen-relative") this.isDepthRelative = true;
    else if (this.isVersion2 && value === "" && this.features.size < 100) this.features.add(word);
    else throw new ProtocolError(`unexpected line: ${line.slice(0, 80)}`);
  }

  #add(list: string[], oid: string, most: number): void {
    if (!isOid(oid)) throw new ProtocolError(`not an object id: ${oid.slice(0, 80)}`);
    if (list.push(oid) > most) throw new ProtocolError("too many lines");
  }

  build(): FetchRequest {
    if (this.depth !== undefined && (this.since !== undefined || this.notRefs.length > 0)) {
      throw new FetchError("upload-pack: deepen and deepen-since (or deepen-not) cannot be used together");
    }
    this.wants = unique(this.wants);
    this.haves = unique(this.haves);
    this.shallow = unique(this.shallow);
    this.notRefs = unique(this.notRefs);
    return this;
  }
}

/** Version 2: the lines behind `command=fetch` and its capabilities. */
export function parseFetch2(packets: readonly Packet[]): FetchRequest {
  const builder = new Builder(true);
  for (const packet of packets) {
    if (packet === "flush") break;
    if (packet === "delimiter" || packet === "end") throw new ProtocolError("unexpected separator");
    builder.take(textOfLine(packet));
  }
  return builder.build();
}

/** Version 0: wants with capabilities behind the first one, shallow and deepen lines, a flush, haves. */
export function parseFetch0(packets: readonly Packet[]): FetchRequest {
  const builder = new Builder(false);
  builder.endsAtWants = packets.indexOf("flush") === packets.length - 1;
  for (const [at, packet] of packets.entries()) {
    if (packet === "flush") continue;
    if (packet === "delimiter" || packet === "end") throw new ProtocolError("unexpected separator");
    const line = textOfLine(packet);
    if (at > 0) {
      builder.take(line);
      continue;
    }
    const [, want = "", capabilities = ""] = /^(want [0-9a-f]{40})(?: (.*))?$/.exec(line) ?? [];
    builder.take(want === "" ? line : want);
    for (const each of capabilities.split(" ").slice(0, 100)) {
      if (each === "deepen-relative") builder.isDepthRelative = true;
      builder.features.add(each);
    }
  }
  return builder.build();
}

/** Version 2: the arguments of `ls-refs`. */
export interface ListRequest {
  readonly prefixes: readonly string[];
  readonly peels: boolean;
  readonly hasSymrefs: boolean;
  readonly hasUnborn: boolean;
}

/** More prefixes than git sends are as none: all refs are listed. */
const prefixesMax = 65_536;

export function parseList(packets: readonly Packet[]): ListRequest {
  const lines = packets.flatMap((packet) => (packet instanceof Buffer ? [textOfLine(packet)] : []));
  const prefixes = lines
    .filter((line) => line.startsWith("ref-prefix "))
    .map((line) => line.slice("ref-prefix ".length));
  return {
    prefixes: prefixes.length > prefixesMax ? [] : prefixes,
    peels: lines.includes("peel"),
    hasSymrefs: lines.includes("symrefs"),
    hasUnborn: lines.includes("unborn"),
  };
}

/** A client may say the same thing a hundred thousand times. */
function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)];
}

function positive(text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value <= 0) throw new FetchError(`Invalid deepen: ${text.slice(0, 40)}`);
  return value;
}

export function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
