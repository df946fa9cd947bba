/** The answer to a push (gitprotocol-pack, report-status). */

import { bandBytesMax, bandLine, flushPacket, type PushRequest, packetLine } from "../../../git/index.ts";

/** The outcome of a push. */
export interface PushReport {
  /** `ok`, or the reason why the pack was refused. */
  readonly unpack: string;
  /** In the order of the commands; undefined: done. */
  readonly refusals: readonly (string | undefined)[];
  /** Lines that git prints behind `remote: `. */
  readonly messages: readonly string[];
}

/** The report for the capabilities that the client has. */
export function renderReport({ capabilities, commands }: PushRequest, report: PushReport): Buffer {
  const hasBands = capabilities.has("side-band-64k");
  const messages = report.messages.map((line) => `${line}\n`).join("");
  const shown = hasBands && messages !== "" ? inBand(2, Buffer.from(messages)) : [];
  const status =
    capabilities.has("report-status") || capabilities.has("report-status-v2")
      ? statusOf(commands, report)
      : Buffer.alloc(0);
  if (!hasBands) return status;
  return Buffer.concat([...shown, ...inBand(1, status), flushPacket]);
}

function statusOf(commands: PushRequest["commands"], { unpack, refusals }: PushReport): Buffer {
  const lines = commands.map(({ ref }, at) => {
    const refusal = refusals[at];
    return packetLine(refusal === undefined ? `ok ${ref}\n` : `ng ${ref} ${refusal}\n`);
  });
  return Buffer.concat([packetLine(`unpack ${unpack}\n`), ...lines, flushPacket]);
}

function inBand(band: 1 | 2, bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += bandBytesMax)
    lines.push(bandLine(band, bytes.subarray(at, at + bandBytesMax)));
  return lines;
}
