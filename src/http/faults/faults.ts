import { Failure } from "../../domain/failure.ts";
import { statusTextOf } from "../../lib/text/status-text.ts";
import { users } from "../../modules/core/users/records.ts";
import type { Context, Sandbox } from "../../modules/kernel/context.ts";
import type { Operation } from "../../modules/kernel/operation.ts";
import { applyFaults } from "../../modules/sandbox/faults/index.ts";
import type { FaultEffect } from "../../modules/sandbox/faults/records.ts";
import { identifyCaller } from "../auth/caller.ts";
import { hasBody } from "../body/body.ts";
import { readQuery } from "../body/query.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { answerFailure, kindOfStatus } from "../responses/failures.ts";
import { respond, respondJson } from "../responses/responses.ts";
import { cutAnswer, slowAnswer, truncatedAnswer } from "./broken-body.ts";
import { readPreferredFault } from "./preferred.ts";

/** A request to a sandbox before it is handled. */
export interface FaultableRequest {
  readonly context: Context;
  readonly sandbox: Sandbox;
  readonly requestContext: RequestContext;
}

/** A request for an operation. */
export interface FaultableCall extends FaultableRequest {
  readonly operation: Operation;
}

/** The fault of a call, and the headers that identify it. */
interface Fault {
  readonly effect: FaultEffect;
  readonly headers: Readonly<Record<string, string>>;
}

/** The runtime closes an idle connection some seconds after its time. */
const holdMarginSeconds = 10;
/** The status in the log for a dropped answer. No other answer has it. */
const droppedStatus = 444;

/**
 * Handles a call with the fault of its `Prefer` header, or else of the first matching rule (sandbox 3). Rules do not apply
 * to calls that control the sandbox.
 */
export function workWithFaults(call: FaultableCall, work: () => Response | Promise<Response>): Promise<Response> {
  const { requestContext, operation } = call;
  requestContext.route = operation.path;
  requestContext.basicRealm = operation.basicRealm;
  requestContext.errorFormat = operation.errorFormat;
  return workWith(call, () => preferredFaultOf(call) ?? faultOfRule(call), work);
}

/** Answers a request for no operation, with the fault of its `Prefer` header. */
export function answerWithPreferred(
  request: FaultableRequest,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  return workWith(request, () => preferredFaultOf(request), answer);
}

async function workWith(
  request: FaultableRequest,
  find: () => Fault | undefined,
  work: () => Response | Promise<Response>,
): Promise<Response> {
  let fault: Fault | undefined;
  try {
    fault = find();
  } catch (error) {
    return answerFailure(request.requestContext, request.context.log, error);
  }
  return fault === undefined ? work() : apply(request, fault, work);
}

function preferredFaultOf({ requestContext }: FaultableRequest): Fault | undefined {
  const preferred = readPreferredFault(requestContext.request.headers.get("prefer"));
  if (preferred === undefined) return undefined;
  return { effect: preferred.effect, headers: { "Preference-Applied": preferred.applied } };
}

function faultOfRule(call: FaultableCall): Fault | undefined {
  const { context, requestContext, operation } = call;
  const { request, path } = requestContext;
  if (operation.http?.partOf === "sandbox") return undefined;
  const { method, headers } = request;
  const candidate = { method, route: operation.path, path, headers, users: () => usersOf(call) };
  const rule = applyFaults(context, candidate);
  if (rule === undefined) return undefined;
  return { effect: rule.effect, headers: { "X-Outpost-Reason": `the fault ${rule.id} of the sandbox` } };
}

/** Returns the usernames of the credentials' owner and of the user in `sudo`; none for refused credentials. */
function usersOf({ context, requestContext, operation }: FaultableCall): string[] {
  const names: string[] = [];
  try {
    const caller = identifyCaller(context, requestContext, readQuery(requestContext.search), operation);
    if (caller.user !== undefined) names.push(caller.user.username);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  const owner = requestContext.userId === undefined ? undefined : context.store.of(users).get(requestContext.userId);
  return owner === undefined ? names : [...names, owner.username];
}

async function apply(
  call: FaultableRequest,
  { effect, headers }: Fault,
  work: () => Response | Promise<Response>,
): Promise<Response> {
  const { context, sandbox, requestContext } = call;
  const { code, drop, apply_then_drop, truncate_after, bytes_per_second } = effect;
  const waitMs = (effect.wait_ms ?? 0) + Math.round((effect.jitter_ms ?? 0) * drawFor(context, effect));
  if (waitMs > 0) {
    requestContext.hold(Math.ceil(waitMs / 1000) + holdMarginSeconds);
    await sandbox.gate.outside(() => Bun.sleep(waitMs));
  }
  if (drop === true) return closeConnection(call, respond(requestContext, droppedStatus, null, {}));
  const answer = code === undefined ? await work() : answerCode(call, code);
  if (apply_then_drop === true) return closeConnection(call, answer);
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  const cut = truncate_after === undefined ? answer : truncatedAnswer(answer, truncate_after);
  return bytes_per_second === undefined ? cut : slowAnswer(cut, bytes_per_second);
}

/** Returns a random number. Without jitter it takes none, so that later numbers stay the same. */
function drawFor({ randomness }: Context, { jitter_ms: jitter = 0 }: FaultEffect): number {
  return jitter === 0 ? 0 : randomness.fraction();
}

/**
 * Closes the connection without an answer. The runtime does not read a body for HEAD, so there only the idle timeout closes
 * it.
 */
async function closeConnection({ sandbox, requestContext }: FaultableRequest, answer: Response): Promise<Response> {
  if (requestContext.request.method === "HEAD") {
    requestContext.hold(1);
    const gone = requestContext.gone();
    const closed = Promise.withResolvers<void>();
    gone.addEventListener("abort", () => closed.resolve());
    if (!gone.aborted) await sandbox.gate.outside(() => closed.promise);
  }
  return cutAnswer(answer);
}

/** Returns an answer with the usual body and headers of a status. */
function answerCode({ context, requestContext }: FaultableRequest, code: number): Response {
  const answer = answerWithCode(requestContext, context, code);
  // The unread body would otherwise be taken for the next request.
  if (hasBody(requestContext.request)) answer.headers.set("Connection", "close");
  return answer;
}

function answerWithCode(requestContext: RequestContext, { log }: Context, code: number): Response {
  const message = `${code} ${statusTextOf(code) ?? "Error"}`;
  const retryAfter = { "Retry-After": "1" };
  if (code === 429 && requestContext.errorFormat === undefined) {
    return respond(requestContext, code, "Retry later\n", { "Content-Type": "text/plain", ...retryAfter });
  }
  const kind = kindOfStatus(code);
  const headers = code === 429 || code === 503 ? retryAfter : {};
  if (kind === undefined) return respondJson(requestContext, code, { message }, headers);
  const body = kind === "not_allowed" ? { error: "405 Not Allowed" } : { message };
  return answerFailure(requestContext, log, new Failure(kind, body, { headers }));
}
