import { type Operation, pathParameters } from "../../modules/kernel/operation.ts";
import type { SampleName } from "../../modules/kernel/sample.ts";
import { type SampleRequest, type SampleTable, sampleNameOf } from "../../modules/kernel/sample-maker.ts";
import { callOf } from "../sample-call.ts";
import { answerLine, type Difference, differ } from "./check.ts";
import type { PreparedCall } from "./request.ts";
import { type AreaResult, callName, type ScenarioRunner } from "./runner.ts";
import type { Reference, Role, StepAnswer } from "./scenario.ts";
import { memberOf } from "./values.ts";

/** A successful call of a sample. */
interface Succeeded {
  readonly operation: Operation;
  readonly request: SampleRequest;
  readonly call: PreparedCall;
  readonly as: Role | Reference;
  readonly answer: StepAnswer;
}

/**
 * Checks what is true for every operation: the answer has the sent values, a list has the created resource, a deleted one is
 * not found, and a call without a required parameter is refused.
 */
export async function checkEffects(
  runner: ScenarioRunner,
  samples: SampleTable,
  succeeded: Succeeded,
  result: AreaResult,
): Promise<void> {
  const { operation, call, request, as, answer } = succeeded;
  const note = (by: PreparedCall, difference: Difference | undefined) => {
    if (difference === undefined) result.passed += 1;
    else result.failures.push({ call: callName(by, as), ...difference });
  };
  if (typeof request.json === "object") note(call, valueDifference(request.json, answer));
  const list = listOf(samples, succeeded);
  if (list !== undefined) {
    const id = memberOf(answer.body, "id");
    const has = ({ body }: StepAnswer) => Array.isArray(body) && body.some((each) => memberOf(each, "id") === id);
    const shownList = await runner.sendUntil(list, as, has);
    note(list, has(shownList) ? undefined : differ(`a list with {"id":${id}}`, answerLine(shownList)));
  }
  const gone = operation.method === "DELETE" ? readingOf(samples, sampleNameOf(operation), call) : undefined;
  if (gone !== undefined) {
    const found = await runner.sendUntil(gone, as, ({ status }) => status === 404);
    note(gone, found.status === 404 ? undefined : differ("status 404", answerLine(found)));
  }
  const incomplete = await withoutNeeded(operation, request);
  if (incomplete !== undefined) {
    const refused = await runner.send(incomplete, as);
    note(incomplete, refused.status === 400 ? undefined : differ("status 400", answerLine(refused)));
  }
}

/** Secrets that differ between requests and answers. */
const secrets: ReadonlySet<string> = new Set(["token"]);

/** Returns the first value in an answer that has the same type as in the request, but differs. */
function valueDifference(sent: unknown, { body }: StepAnswer): Difference | undefined {
  for (const [name, value] of Object.entries(sent ?? {})) {
    const received = memberOf(body, name);
    if (secrets.has(name) || typeof received !== typeof value || received === null || value === null) continue;
    if (Array.isArray(received) !== Array.isArray(value) || Bun.deepEquals(received, value)) continue;
    return differ(`${name} in the body: ${JSON.stringify(value)}`, JSON.stringify(received));
  }
  return undefined;
}

/** Returns the list in a group or project that must contain the created resource. */
function listOf(samples: SampleTable, { operation, call, answer }: Succeeded): PreparedCall | undefined {
  const { method, path } = operation;
  const isInPlace = /^\/(groups|projects)\/:id\//.test(path) && samples.has(`GET ${path as `/${string}`}`);
  if (method !== "POST" || !isInPlace || memberOf(answer.body, "id") === undefined) return undefined;
  return { method: "GET", path: `${call.path}?per_page=100`, headers: {} };
}

/** Returns the call that reads a deleted resource. */
function readingOf(samples: SampleTable, deletion: SampleName, { path }: PreparedCall): PreparedCall | undefined {
  const sample = samples.get(deletion.replace("DELETE", "GET") as SampleName);
  if (sample === undefined || !/:[a-z_]+$/.test(deletion)) return undefined;
  const query = Object.entries(sample.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const search = query.length === 0 ? "" : `?${new URLSearchParams(query)}`;
  return { method: "GET", path: `${path.split("?", 1)[0]}${search}`, headers: {} };
}

/** Returns the call without its first required parameter. */
async function withoutNeeded({ params, path }: Operation, request: SampleRequest): Promise<PreparedCall | undefined> {
  const inPath = pathParameters(path);
  const needed = (params.required ?? []).find((name) => !inPath.includes(name));
  if (needed === undefined || typeof request.json !== "object") return undefined;
  const rest = Object.entries(request.json ?? {}).filter(([name]) => name !== needed);
  return callOf({ ...request, json: Object.fromEntries(rest) });
}
