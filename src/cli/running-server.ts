import type { ClientConfig, Config } from "../config/config.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import { FolderIsHeld, type FolderLock, lockFolder, systemDisk } from "../store/index.ts";
import {
  noAnswerError,
  type ReceivedAnswer,
  type StreamedAnswer,
  sendForStream,
  withWholeBody,
} from "./commands/client/api-client.ts";
import { isOnThisMachine, resolveEndpoint, type ServerEndpoint } from "./endpoint.ts";
import { readRootToken } from "./root-credentials.ts";

/** A command that needs a store: its name as typed, and the settings that name the store. */
export interface StoreRequest {
  readonly command: string;
  readonly config: Config;
  /** If the settings name a server, the command calls it, whatever the folder has. */
  readonly client: ClientConfig;
}

/** A call of the API. */
export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** A percent-encoded path below `/api/v4`, unless it begins with `/-/` or `/uploads/`. */
  readonly path: string;
  /** The query of GET and DELETE, the JSON body of other methods. */
  readonly values?: Readonly<Record<string, string | boolean | string[]>>;
}

/** Thrown when a server answered with an error. */
export class CallRefused extends StartError {
  readonly status: number;

  constructor(status: number, message: string, hint: string, isOwnProcess = false) {
    const code = status >= 500 ? exitCodes.answered5xx : exitCodes.answered4xx;
    super(message, hint, { exitCode: isOwnProcess ? exitCodes.failed : code });
    this.status = status;
  }
}

/**
 * Locks a folder with a store, or returns the server to call instead: the named one, or the one that uses the folder. Throws
 * `StartError` for a folder without a store, for one whose lock holder has no address, and when no token is known. `isStore`
 * tells whether to lock the folder.
 */
export async function lockOrServer(
  { command, config, client }: StoreRequest,
  isStore = (folder: string) => systemDisk.exists(`${folder}/manifest.json`),
): Promise<FolderLock | RunningServer> {
  const { dataFolder: folder } = config;
  if (client.urlFrom === "url" && client.url !== undefined) return serverAt(client.url, { command, config, client });
  if (!isStore(folder)) throw new StartError(`${folder} holds no store`, `outpost ${command} --data DIR`);
  try {
    return lockFolder(folder);
  } catch (error) {
    // The holder may be another command, and the server at the address of the settings may use another folder.
    if (!(error instanceof FolderIsHeld) || error.address === undefined) throw error;
    return serverAt(error.address, { command, config, client });
  }
}

async function serverAt(origin: string, { command, config, client }: StoreRequest): Promise<RunningServer> {
  const token = client.token ?? (await tokenOnThisMachine(origin, config));
  if (token === undefined) {
    throw new StartError(
      `the server at ${origin} needs the token of an administrator`,
      `outpost ${command} --token TOKEN, or OUTPOST_TOKEN=TOKEN in the environment`,
    );
  }
  return new RunningServer(
    origin,
    resolveEndpoint(origin, { ...client, dataFolder: config.dataFolder }),
    token,
    command,
  );
}

/** Returns root's token for a server on this machine. It goes to another machine only if the user gives it for that. */
export async function tokenOnThisMachine(
  origin: string,
  { dataFolder, rootToken }: Pick<Config, "dataFolder" | "rootToken">,
): Promise<string | undefined> {
  if (!isOnThisMachine(origin)) return undefined;
  return (await readRootToken(dataFolder)) ?? rootToken;
}

/** A server that the command calls with an administrator's token. */
export class RunningServer {
  readonly origin: string;
  readonly #endpoint: ServerEndpoint;
  readonly #token: string;
  readonly #command: string;

  constructor(origin: string, endpoint: ServerEndpoint, token: string, command: string) {
    this.origin = origin;
    this.#endpoint = endpoint;
    this.#token = token;
    this.#command = command;
  }

  /**
   * Returns the answer with its body as a stream. Throws `CallRefused` for a status of 300 or more, `StartError` when there
   * is no answer.
   */
  async stream({ method, path, values = {} }: ApiCall): Promise<StreamedAnswer> {
    const { base, ...way } = this.#endpoint;
    const hasBody = method === "POST" || method === "PUT";
    const url = `${base}${/^\/(-|uploads)\//.test(path) ? "" : "/api/v4"}${path}${hasBody ? "" : queryOf(values)}`;
    const headers = { "PRIVATE-TOKEN": this.#token, Accept: "application/json", "Content-Type": "application/json" };
    const request = { method, url, ...way, headers, ...(hasBody ? { body: JSON.stringify(values) } : {}) };
    const answer = await sendForStream(request).catch((error: unknown) => {
      const command = `outpost ${this.#command}`;
      throw noAnswerError(error, { origin: this.origin, command, hint: `${command} --url URL` });
    });
    if (answer.status >= 300) throw await this.#refusalOf(answer);
    return answer;
  }

  /** Does what `stream` does, but reads the whole body. */
  async send(call: ApiCall): Promise<ReceivedAnswer> {
    return withWholeBody(await this.stream(call));
  }

  async #refusalOf(answer: StreamedAnswer): Promise<CallRefused> {
    const { status, reason, body } = await withWholeBody(answer);
    const said = sentenceOfBody(status, body.toString()) ?? `${status} ${reason}`;
    const message = `the server at ${this.origin} answered ${said}`;
    const isAboutToken = status === 401 || ["403 Forbidden", "403: insufficient_scope"].includes(said);
    const hint = isAboutToken
      ? `outpost ${this.#command} --token TOKEN, of an administrator and with the scope api`
      : status >= 500
        ? "outpost api GET /-/readiness"
        : `outpost ${this.#command} --help`;
    return new CallRefused(status, message, hint);
  }
}

/** Returns the API's errors as one sentence: `email is invalid; username can't be blank`. */
export function sentenceOf(message: object): string {
  const problems = Object.entries(message).map(([name, texts]) => `${name} ${[texts].flat().join(", ")}`);
  return problems.join("; ");
}

function sentenceOfBody(status: number, text: string): string | undefined {
  try {
    const { message, error } = JSON.parse(text) as { readonly message?: string | object; readonly error?: string };
    const said = typeof message === "object" ? sentenceOf(message) : (message ?? error);
    return said === undefined || said.startsWith(`${status} `) ? said : `${status}: ${said}`;
  } catch {
    return undefined;
  }
}

function queryOf(values: NonNullable<ApiCall["values"]>): string {
  const fields = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    typeof value === "object" ? value.map((each) => [`${name}[]`, each]) : [[name, String(value)]],
  );
  return fields.length === 0 ? "" : `?${new URLSearchParams(fields)}`;
}
