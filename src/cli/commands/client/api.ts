import { exitCodes } from "../../../domain/start-error.ts";
import { isTty, print, printMessage, stdout } from "../../output/terminal.ts";
import { nextQuery, noAnswerError, type ReceivedAnswer, type SentRequest, send } from "./api-client.ts";
import { type ApiRequestFlags, type PreparedRequest, prepare, wrong } from "./api-request.ts";

export interface ApiFlags extends ApiRequestFlags {
  /** The format of a printed JSON answer. Default: indented on a terminal, else as sent. */
  readonly layout: "indented" | "as sent" | undefined;
  /** True to print the status and the headers before the body. */
  readonly include: boolean;
  /** True to call every page of a list, and print one array. */
  readonly paginate: boolean;
}

/**
 * Makes one call of a running server. Prints the status on stderr, and the body on stdout. Returns 0 for a 2xx, 4 for a 4xx,
 * 5 for a 5xx, and 1 for other answers. Throws `StartError` for wrong use, and when there is no answer.
 */
export async function api(flags: ApiFlags): Promise<number> {
  if (flags.paginate && flags.method.toUpperCase() !== "GET") {
    throw wrong("--paginate is for GET", "outpost api GET /users --paginate");
  }
  const prepared = await prepare(flags);
  if (flags.paginate) return paginate(prepared, flags.layout);
  const answer = await receive(prepared.request);
  printStatus(answer, prepared);
  if (answer.headers.location !== undefined) printMessage(`Location: ${answer.headers.location}`);
  if (flags.include) await print(headOf(answer));
  await print(layOut(answer, flags.layout));
  return exitCodeOf(answer.status);
}

function printStatus({ status, reason, headers }: ReceivedAnswer, { hasToken }: PreparedRequest): void {
  const why = headers["x-outpost-reason"];
  printMessage(`${status} ${reason}`.trimEnd() + (why === undefined ? "" : ` (${why})`));
  if (!hasToken && [401, 403, 404].includes(status)) printMessage("no token was sent; set --token or OUTPOST_TOKEN");
}

function headOf({ status, reason, headers }: ReceivedAnswer): string {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => `${name}: ${value}\n`),
  );
  return `HTTP/1.1 ${status} ${reason}\n${lines.join("")}\n`;
}

/** Prints the entries page by page, since memory may not hold all of them. A failed page ends the array early. */
async function paginate(prepared: PreparedRequest, layout: ApiFlags["layout"]): Promise<number> {
  const { request } = prepared;
  const address = new URL(request.url);
  if (!address.searchParams.has("per_page")) address.searchParams.set("per_page", "100");
  const [indent, start, end] = isIndented(layout) ? [2, "\n  ", "\n"] : [0, "", ""];
  let before = "[";
  for (let query: string | undefined = address.search; query !== undefined; ) {
    address.search = query;
    const answer = await receive({ ...request, url: address.href });
    if (before === "[" || answer.status >= 300) printStatus(answer, prepared);
    if (answer.status >= 300) {
      if (before === "[") await print(layOut(answer, layout));
      return exitCodeOf(answer.status);
    }
    for (const entry of entriesOf(answer)) {
      const text = JSON.stringify(entry, null, indent).replaceAll("\n", "\n  ");
      if (!(await print(`${before}${start}${text}`))) return 0;
      before = ",";
    }
    query = nextQuery(answer);
  }
  await print(before === "[" ? "[]" : `${end}]`);
  await print(isIndented(layout) ? "\n" : "");
  return 0;
}

function entriesOf({ body }: ReceivedAnswer): readonly unknown[] {
  try {
    const entries: unknown = JSON.parse(body.toString());
    if (Array.isArray(entries)) return entries;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw wrong("the answer is not a list", "outpost api GET PATH, without --paginate");
}

/** Sends a request and returns its answer. Throws `StartError` when there is none. */
async function receive(request: SentRequest): Promise<ReceivedAnswer> {
  try {
    return await send(request);
  } catch (error) {
    const origin = request.socket ?? new URL(request.url).origin;
    throw noAnswerError(error, { origin, command: `outpost api ${request.method} PATH`, hint: "outpost serve" });
  }
}

function layOut({ headers, body }: ReceivedAnswer, layout: ApiFlags["layout"]): string | Buffer<ArrayBuffer> {
  if (!isIndented(layout) || body.length === 0 || !/^application\/json\b/.test(String(headers["content-type"])))
    return body;
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

function isIndented(layout: ApiFlags["layout"]): boolean {
  return layout === "indented" || (layout === undefined && isTty(stdout));
}
