/** The request of a client that pushes (gitprotocol-pack). */

import { isOid } from "../refs.ts";
import { type PacketReader, ProtocolError, textOfLine } from "./pkt-line.ts";

/** A ref that is to name another object. */
export interface RefCommand {
  /** 40 zeros: the ref is new. */
  readonly before: string;
  /** 40 zeros: the ref is deleted. */
  readonly after: string;
  /** The full name. */
  readonly ref: string;
}

export interface PushRequest {
  readonly commands: readonly RefCommand[];
  readonly shallow: readonly string[];
  readonly capabilities: ReadonlySet<string>;
  readonly options: readonly string[];
}

const commandsMax = 10_000;
const shallowMax = 10_000;
const optionsMax = 100;
const optionLengthMax = 1_024;
const refLengthMax = 1_024;
/** Bytes of a command without its ref and capabilities, which the first one has behind it. */
const commandBytes = 2 * 41;
const capabilitiesBytesMax = 4_096;

/** Reads everything before the pack; undefined for a request without commands. Throws `ProtocolError`. */
export async function readPush(reader: PacketReader): Promise<PushRequest | undefined> {
  const commands: RefCommand[] = [];
  const shallow: string[] = [];
  let capabilities: ReadonlySet<string> = new Set();
  for (let packet = await reader.next(); packet !== "flush"; packet = await reader.next()) {
    if (packet === undefined && commands.length === 0) return undefined;
    if (!(packet instanceof Buffer)) throw new ProtocolError("the commands are cut off");
    const isFirst = commands.length === 0;
    if (packet.length > commandBytes + refLengthMax + (isFirst ? capabilitiesBytesMax : 0)) {
      throw new ProtocolError("a command is too long");
    }
    const end = isFirst ? packet.indexOf(0) : -1;
    const line = textOfLine(end === -1 ? packet : packet.subarray(0, end));
    if (line.startsWith("shallow ")) {
      const oid = line.slice("shallow ".length);
      if (!isOid(oid)) throw new ProtocolError("a shallow line names no commit");
      if (shallow.push(oid) > shallowMax) throw new ProtocolError("too many shallow lines");
      continue;
    }
    if (end !== -1)
      capabilities = new Set(
        textOfLine(packet.subarray(end + 1))
          .split(" ")
          .filter(Boolean),
      );
    if (commands.push(commandOf(line)) > commandsMax) throw new ProtocolError(`more than ${commandsMax} commands`);
  }
  if (commands.length === 0) return undefined;
  const options = capabilities.has("push-options") ? await readOptions(reader) : [];
  return { commands, shallow, capabilities, options };
}

function commandOf(line: string): RefCommand {
  const [, before = "", after = "", ref = ""] = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/s.exec(line) ?? [];
  if (!isOid(before) || !isOid(after))
    throw new ProtocolError(`protocol error: expected old/new/ref, got '${line.slice(0, 80)}'`);
  return { before, after, ref };
}

async function readOptions(reader: PacketReader): Promise<string[]> {
  const options: string[] = [];
  for (let packet = await reader.next(); packet !== "flush"; packet = await reader.next()) {
    if (!(packet instanceof Buffer)) throw new ProtocolError("the push options are cut off");
    if (options.length >= optionsMax || packet.length > optionLengthMax)
      throw new ProtocolError("too many push options");
    const option = textOfLine(packet);
    if (!/[\0\n]/.test(option)) options.push(option);
  }
  return options;
}
