import { basename } from "node:path";
import type { ClientConfig } from "../../../config/config.ts";
import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { addressOfHolder } from "../../../store/index.ts";
import { resolveEndpoint } from "../../endpoint.ts";
import { tokenOnThisMachine } from "../../running-server.ts";
import type { SentRequest } from "./api-client.ts";
import { encodedPath } from "./api-path.ts";

/** The parts of the request of `outpost api`. */
export interface ApiRequestFlags {
  readonly method: string;
  /** A path below `/api/v4`, unless it begins with `/api/` or `/-/`. */
  readonly path: string;
  /** `key=value`, or `key=@path` for a file. They become the query for methods without a body, else a form. */
  readonly fields: readonly string[];
  /** `Name: value`. */
  readonly headers: readonly string[];
  /** JSON text; `-` reads stdin. */
  readonly body: string | undefined;
  readonly client: ClientConfig;
  /** May have root's token for a server on this machine. The command calls its server unless the settings name another. */
  readonly dataFolder: string;
  /** The value of `OUTPOST_ROOT_TOKEN`, used like root's token of the data folder. */
  readonly rootToken: string | undefined;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const methodsWithForm = ["POST", "PUT", "PATCH"];
/** The most bytes of a form with files, which is in memory. */
const formBytesMax = 512 * 1024 ** 2;
const credentialNames = ["private-token", "job-token", "authorization", "cookie"];

export interface PreparedRequest {
  readonly request: SentRequest;
  /** True when the request has a credential. */
  readonly hasToken: boolean;
}

/** Prepares the request. Throws `StartError` for wrong use. */
export async function prepare(flags: ApiRequestFlags): Promise<PreparedRequest> {
  const method = checkMethod(flags.method);
  const { url: chosen, urlFrom, token: given } = flags.client;
  const origin = urlFrom === "default" ? (addressOfHolder(flags.dataFolder) ?? chosen) : chosen;
  if (origin === undefined)
    throw wrong("OUTPOST_PORT is 0, which is no address to call", "outpost api GET /version --url URL");
  if (/^https?:/.test(flags.path)) throw wrong(`${flags.path} is not a path`, "outpost api GET /version --url URL");
  if (flags.fields.length > 0 && flags.body !== undefined)
    throw wrong("-F and -d exclude each other", "outpost help api");
  const own = flags.headers.map(readHeader);
  const isAnonymous = !own.some(([name]) => credentialNames.includes(name));
  const token = isAnonymous ? (given ?? (await tokenOnThisMachine(origin, flags))) : undefined;
  const { base, ...way } = resolveEndpoint(origin, { ...flags.client, dataFolder: flags.dataFolder });
  const hasForm = methodsWithForm.includes(method);
  const content = hasForm || flags.body !== undefined ? await contentOf(flags) : undefined;
  const path = fullPath(await encodedPath(method, flags.path));
  const query = hasForm ? "" : new URLSearchParams(flags.fields.map(readField)).toString();
  const headers = {
    accept: "application/json",
    ...(token === undefined ? {} : { "private-token": token }),
    ...(content === undefined ? {} : { "content-type": content.type }),
    ...Object.fromEntries(own),
  };
  const url = `${base}${path}${query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`}`;
  return {
    request: { method, url, ...way, headers, ...(content === undefined ? {} : { body: content.body }) },
    hasToken: token !== undefined || !isAnonymous,
  };
}

interface Content {
  readonly type: string;
  readonly body: string | Buffer<ArrayBuffer>;
}

async function contentOf({ fields, body }: ApiRequestFlags): Promise<Content | undefined> {
  if (body !== undefined) return { type: "application/json", body: await readJson(body) };
  const read = fields.map(readField);
  if (read.length === 0) return undefined;
  if (!read.some(([, value]) => value.startsWith("@"))) {
    return { type: "application/x-www-form-urlencoded", body: new URLSearchParams(read).toString() };
  }
  const form = new FormData();
  let bytes = 0;
  for (const [name, value] of read) {
    if (!value.startsWith("@")) form.append(name, value);
    else {
      const path = value.slice(1);
      const file = await readableFile(path);
      bytes += file.size;
      if (bytes > formBytesMax)
        throw wrong("the files of -F have more than 512 MiB", "curl -F, which sends larger ones");
      form.append(name, file, basename(path));
    }
  }
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "multipart/form-data";
  return { type, body: Buffer.from(await encoded.arrayBuffer()) };
}

async function readableFile(path: string) {
  const file = Bun.file(path);
  if (await file.exists()) return file;
  throw wrong(`-F names the file ${path}, which does not exist`, `ls -l ${path}`);
}

function checkMethod(given: string): string {
  const method = given.toUpperCase();
  if (methods.includes(method)) return method;
  const known = `${methods.slice(0, -1).join(", ")} or ${methods.at(-1)}`;
  throw wrong(`${given} is not a method; expected ${known}`, "outpost api GET /user");
}

function fullPath(path: string): string {
  const rooted = path.startsWith("/") ? path : `/${path}`;
  return /^\/(api|-)\//.test(rooted) ? rooted : `/api/v4${rooted}`;
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

function readField(field: string): [string, string] {
  const end = field.indexOf("=");
  if (end < 1) throw wrong(`-F is ${JSON.stringify(field)}; expected key=value`, "outpost help api");
  return [field.slice(0, end), field.slice(end + 1)];
}

/** Returns the name, in lower case, and the value. */
function readHeader(header: string): [string, string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\xa0-\xff]*)$/.exec(header) ?? [];
  if (name !== undefined && value !== undefined) return [name.toLowerCase(), value];
  throw wrong(`-H is ${JSON.stringify(header)}; expected Name: value`, 'outpost api GET /user -H "Sudo: mara"');
}

export function wrong(message: string, hint: string): StartError {
  return new StartError(message, hint, { exitCode: exitCodes.usage });
}
