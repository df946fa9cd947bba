import type { ClientConfig } from "../../../config/config.ts";
import { nearest } from "../../../config/nearest.ts";
import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { addressOfHolder } from "../../../store/index.ts";
import { isOnThisMachine, resolveEndpoint } from "../../endpoint.ts";
import { isTty, print, printMessage, stdout } from "../../output/terminal.ts";
import { readRootToken } from "../../root-credentials.ts";
import { type ReceivedAnswer, type SentRequest, send } from "./api-client.ts";

export interface ApiFlags {
  readonly method: string;
  /** Below `/api/v4`, unless it begins with `/api/` or `/-/`. */
  readonly path: string;
  /** `key=value`: the query of methods without a body, the form of the others. */
  readonly fields: readonly string[];
  /** JSON text; `-` for what comes in on stdin. */
  readonly body: string | undefined;
  /** The form of a printed JSON answer; undefined: indented on a terminal, as sent elsewhere. */
  readonly layout: "indented" | "as sent" | undefined;
  readonly client: ClientConfig;
  /** May hold root's token for a server on this machine. Its server is called unless the settings choose another. */
  readonly dataFolder: string;
  /** The value of `OUTPOST_ROOT_TOKEN`, for the same. */
  readonly rootToken: string | undefined;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const methodsWithForm = ["POST", "PUT", "PATCH"];

/**
 * One call of a running server: the status on stderr, the body on stdout. Returns 0 for a 2xx, 4 for a 4xx, 5 for a
 * 5xx, 1 for any other answer. Throws `StartError` for wrong use, and when there is no answer.
 */
export async function api(flags: ApiFlags): Promise<number> {
  const { request, token } = await prepare(flags);
  const answer = await receive(request);
  printMessage(`${answer.status} ${answer.reason}`.trimEnd());
  if (token === undefined && [401, 403, 404].includes(answer.status)) {
    printMessage("no token was sent; set --token or OUTPOST_TOKEN");
  }
  if (answer.headers.location !== undefined) printMessage(`Location: ${answer.headers.location}`);
  await print(layOut(answer, flags.layout));
  return exitCodeOf(answer.status);
}

async function prepare(flags: ApiFlags): Promise<{ request: SentRequest; token: string | undefined }> {
  const method = checkMethod(flags.method);
  const { url: chosen, urlFrom, token: given } = flags.client;
  const origin = urlFrom === "default" ? (addressOfHolder(flags.dataFolder) ?? chosen) : chosen;
  if (origin === undefined)
    throw wrong("OUTPOST_PORT is 0, which is no address to call", "outpost api GET /version --url URL");
  if (/^https?:/.test(flags.path)) throw wrong(`${flags.path} is not a path`, "outpost api GET /version --url URL");
  const fields = new URLSearchParams(flags.fields.map(readField)).toString();
  if (fields !== "" && flags.body !== undefined) throw wrong("-F and -d exclude each other", "outpost help api");
  const token = given ?? (await tokenOnThisMachine(origin, flags));
  const { base, socket, authority } = resolveEndpoint(origin, flags.dataFolder);
  const way = { socket, authority };
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token !== undefined) headers["PRIVATE-TOKEN"] = token;
  const url = `${base}${fullPath(flags.path)}`;
  if (flags.body !== undefined) {
    headers["Content-Type"] = "application/json";
    return { request: { method, url, ...way, headers, body: await readJson(flags.body) }, token };
  }
  if (fields === "") return { request: { method, url, ...way, headers }, token };
  if (!methodsWithForm.includes(method)) {
    return { request: { method, url: `${url}${url.includes("?") ? "&" : "?"}${fields}`, ...way, headers }, token };
  }
  headers["Content-Type"] = "application/x-www-form-urlencoded";
  return { request: { method, url, ...way, headers, body: fields }, token };
}

function checkMethod(given: string): string {
  const method = given.toUpperCase();
  if (methods.includes(method)) return method;
  throw wrong(`${given} is not a method; the nearest is ${nearest(method, methods)}`, "outpost help api");
}

function fullPath(path: string): string {
  const rooted = path.startsWith("/") ? path : `/${path}`;
  return /^\/(api|-)\//.test(rooted) ? rooted : `/api/v4${rooted}`;
}

function readField(field: string): [string, string] {
  const end = field.indexOf("=");
  if (end < 1) throw wrong(`-F is ${JSON.stringify(field)}; expected key=value`, "outpost help api");
  return [field.slice(0, end), field.slice(end + 1)];
}

async function readJson(given: string): Promise<string> {
  const text = given === "-" ? await Bun.stdin.text() : given;
  try {
    JSON.parse(text);
  } catch {
    throw wrong("the body given with -d is not JSON", `outpost api POST /users -d '{"name":"Mara"}'`);
  }
  return text;
}

/** Root's token leaves for no other machine unless it is given for that. */
export async function tokenOnThisMachine(
  origin: string,
  flags: Pick<ApiFlags, "dataFolder" | "rootToken">,
): Promise<string | undefined> {
  if (!isOnThisMachine(origin)) return undefined;
  return (await readRootToken(flags.dataFolder)) ?? flags.rootToken;
}

/** One request and its answer. Throws `StartError` when there is none. */
export async function receive(request: SentRequest): Promise<ReceivedAnswer> {
  try {
    return await send(request);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `no answer from ${request.socket ?? new URL(request.url).origin}: ${reason}`,
      "outpost serve",
      {
        cause: error,
      },
    );
  }
}

function layOut({ headers, body }: ReceivedAnswer, layout: ApiFlags["layout"]): string | Buffer<ArrayBuffer> {
  const isIndented = layout === "indented" || (layout === undefined && isTty(stdout));
  if (!isIndented || body.length === 0 || !/^application\/json\b/.test(String(headers["content-type"]))) return body;
  try {
    return `${JSON.stringify(JSON.parse(body.toString()), null, 2)}\n`;
  } catch {
    return body;
  }
}

function exitCodeOf(status: number): number {
  if (status >= 500) return exitCodes.answered5xx;
  if (status >= 400) return exitCodes.answered4xx;
  return status >= 200 && status < 300 ? 0 : exitCodes.failed;
}

function wrong(message: string, hint: string): StartError {
  return new StartError(message, hint, { exitCode: exitCodes.usage });
}
