import type { ClientConfig } from "../../../../config/config.ts";
import { exitCodes } from "../../../../domain/start-error.ts";
import { addressOfHolder } from "../../../../store/index.ts";
import { resolveEndpoint, type ServerEndpoint } from "../../../endpoint.ts";
import { printJson } from "../../../output/table.ts";
import { print } from "../../../output/terminal.ts";
import { tokenOnThisMachine } from "../../../running-server.ts";
import { type ReceivedAnswer, send } from "../api-client.ts";
import { wrong } from "../api-request.ts";
import { Comparison, type Difference } from "./compare.ts";
import { type RecordedCall, readHar } from "./har-file.ts";
import { kindOf, Mapping } from "./mapping.ts";

export interface ReplayFlags {
  readonly file: string;
  readonly client: ClientConfig;
  readonly dataFolder: string;
  readonly rootToken: string | undefined;
  /** A list of `USERNAME=TOKEN`. */
  readonly tokens: readonly string[];
  readonly isJson: boolean;
}

/** A call that was sent again, or skipped. */
interface ReplayedCall {
  readonly method: string;
  readonly path: string;
  /** The reason for skipping the call, which then has no differences. */
  readonly skipped?: string;
  readonly differences: readonly Difference[];
}

/** Headers that are not compared: those of the connection and of caches. */
const headersLeftOut =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|keep-alive|expect|cookie|if-none-match|origin|x-csrf-token)$/;
const differencesShown = 5;

/**
 * Sends the calls again. Returns 0 when every answer is as recorded, else 1. Throws `StartError` for wrong use and when
 * there is no answer.
 */
export async function replay(flags: ReplayFlags): Promise<number> {
  const calls = readHar(flags.file);
  const { origin, tokens } = await serverOf(flags);
  const endpoint = resolveEndpoint(origin, { ...flags.client, dataFolder: flags.dataFolder });
  const origins = new Set(calls.map(({ request }) => new URL(request.url).origin));
  const mapping = new Mapping(origins, endpoint.base, tokens);
  const results: ReplayedCall[] = [];
  for (const call of calls) {
    const result = await replayCall(endpoint, mapping, call);
    results.push(result);
    if (!flags.isJson) for (const line of linesOf(result)) await print(`${line}\n`);
  }
  const different = results.filter(({ differences }) => differences.length > 0);
  const skipped = results.filter((result) => result.skipped !== undefined);
  const same = results.length - different.length - skipped.length;
  const counts = { calls: results.length, same, different: different.length, skipped: skipped.length };
  if (flags.isJson) await printJson({ url: origin, ...counts, results: [...different, ...skipped] });
  else {
    const { calls: all, ...rest } = counts;
    await print(`${all} calls: ${rest.same} as recorded, ${rest.different} different, ${rest.skipped} skipped\n`);
  }
  return different.length + skipped.length === 0 ? 0 : exitCodes.failed;
}

async function serverOf({ client, dataFolder, rootToken, tokens: given }: ReplayFlags) {
  const origin = client.urlFrom === "default" ? (addressOfHolder(dataFolder) ?? client.url) : client.url;
  if (origin === undefined)
    throw wrong("OUTPOST_PORT is 0, which is no address to call", "outpost replay FILE --url URL");
  const root = client.token ?? (await tokenOnThisMachine(origin, { dataFolder, rootToken }));
  const tokens = new Map<string, string>(root === undefined ? [] : [["root", root]]);
  for (const pair of given) {
    const [, user, token] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (user === undefined || token === undefined) {
      throw wrong(`--as is ${pair.length} characters without USERNAME=TOKEN`, "outpost replay FILE --as mara=TOKEN");
    }
    tokens.set(user, token);
  }
  return { origin, tokens };
}

async function replayCall(endpoint: ServerEndpoint, mapping: Mapping, call: RecordedCall): Promise<ReplayedCall> {
  const { request, response, _route: route } = call;
  const { method } = request;
  const path = mapping.target(request.url, route);
  const shown = path.replace(/[?&](?:private_token|access_token|job_token)=[^&]*/g, "");
  if (request.postData?._cut === true) {
    const skipped =
      request.postData.text === "" ? "its body was not recorded" : "its body is longer than what was recorded";
    return { method, path: shown, skipped, differences: [] };
  }
  const unknown = request.headers.flatMap(({ value }) => mapping.unknownToken(value) ?? [])[0];
  if (unknown !== undefined) {
    return { method, path: shown, skipped: `no ${unknown.slice(1, -1)} is known; give one with --as`, differences: [] };
  }
  const answer = await send({
    method,
    url: `${endpoint.base}${path}`,
    socket: endpoint.socket,
    authority: endpoint.authority,
    headers: headersOf(mapping, call),
    body: bodyOf(mapping, call),
  });
  const comparison = new Comparison(mapping);
  comparison.value("status", "status", "", response.status, answer.status);
  if (response.status === answer.status) compareBodies(comparison, call, answer);
  return { method, path: shown, differences: comparison.differences };
}

function headersOf(mapping: Mapping, { request }: RecordedCall): Record<string, string> {
  const kept = request.headers.filter(({ name }) => !headersLeftOut.test(name.toLowerCase()));
  return Object.fromEntries(
    kept.map(({ name, value }) => {
      const user = /^Basic \[token \d+ of (.+)\]$/.exec(value)?.[1];
      if (user === undefined) return [name, mapping.text(value)];
      return [name, `Basic ${Buffer.from(`${user}:${mapping.text(value).slice("Basic ".length)}`).toString("base64")}`];
    }),
  );
}

function bodyOf(
  mapping: Mapping,
  { request: { postData, headers } }: RecordedCall,
): string | Buffer<ArrayBuffer> | undefined {
  if (postData?.text === undefined) return undefined;
  if (postData.encoding === "base64") return Buffer.from(postData.text, "base64");
  const type = headers.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  return mapping.body(postData.text, type);
}

function compareBodies(
  comparison: Comparison,
  { request, response: { content }, _route: route }: RecordedCall,
  answer: ReceivedAnswer,
): void {
  if (content._cut === true || content.text === undefined) return;
  const kind = kindOf(lastWord(route ?? new URL(request.url).pathname));
  const came = content.encoding === "base64" ? answer.body.toString("base64") : answer.body.toString();
  const [recordedValue, cameValue] = [parse(content.text), parse(came)];
  if (recordedValue === undefined) comparison.value("body", "", "", content.text, came);
  else comparison.value("", "", kind, recordedValue, cameValue);
}

/** Returns the last segment of a path that is no parameter: the resource of the answer. */
function lastWord(path: string): string {
  return path.split("/").findLast((part) => /^[a-z_]+$/.test(part)) ?? "";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function linesOf({ method, path, skipped, differences }: ReplayedCall): string[] {
  if (skipped !== undefined) return [`${method} ${path} was skipped: ${skipped}`];
  if (differences.length === 0) return [];
  const shown = differences.slice(0, differencesShown).map(({ at, recorded, came }) => {
    const text = (value: unknown) => (value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200));
    return `  ${at}: recorded ${text(recorded)}, came ${text(came)}`;
  });
  const more = differences.length - shown.length;
  return [`${method} ${path}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}
