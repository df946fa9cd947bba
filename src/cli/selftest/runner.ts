import { type Edition, includesTier } from "../../domain/edition.ts";
import { apiTitle } from "../../domain/release.ts";
import type { Operation } from "../../modules/kernel/operation.ts";
import { operations } from "../../modules/operations.ts";
import type { ServerEndpoint } from "../endpoint.ts";
import { answerLine, type Difference, findDifference, refusalDifference } from "./check.ts";
import { type Refusal, refusalsOf, wrongScopeFor } from "./refusals.ts";
import { NoAnswer, type PreparedCall, prepareCall, sendCall } from "./request.ts";
import {
  type Area,
  MissingValue,
  Reference,
  type Role,
  type RunFacts,
  type Step,
  type StepAnswer,
} from "./scenario.ts";
import { descriptionCall, developer, guest, me, metadata, narrowTokens, owner, paidCall, stranger } from "./setup.ts";
import { memberOf, stepsIn } from "./values.ts";

/** A call with a wrong answer. */
export interface FailedCall extends Difference {
  /** The call as sent: `POST /api/v4/projects/7/labels as guest`. */
  readonly call: string;
}

export interface AreaResult {
  readonly area: string;
  passed: number;
  readonly failures: FailedCall[];
  /** The number of skipped calls by reason. */
  readonly skipped: Map<string, number>;
}

export const lackOfRight = "right: the token is not an administrator's";

type PrepareCall = (operation: Operation, step: Step, facts: RunFacts) => Promise<PreparedCall>;

const operationsByCall = new Map(operations.map((each) => [`${each.method} ${each.path}`, each]));

/** Returns the operation of a step. Throws when there is none. */
export function operationOf({ call }: Pick<Step, "call">): Operation {
  const found = operationsByCall.get(call);
  if (found === undefined) throw new Error(`there is no operation ${call}`);
  return found;
}

/** True when the platform lacks the call: it serves git by another protocol, and the registry at another address. */
function isOfOutpost({ path, root }: Operation): boolean {
  return root === true && /^\/(-|v2|\*path\.git)(\/|$)/.test(path);
}

/** The tokens of the users that the selftest creates. */
const tokens: Readonly<Partial<Record<Role, Reference>>> = {
  owner: owner.token,
  developer: developer.token,
  guest: guest.token,
  stranger: stranger.token,
};

/** The number of unanswered calls after which the run ends: a server that hangs would take a minute for each. */
const unansweredMax = 3;
/**
 * The longest time for work that the server does after its answer. Steps that fail share it, since otherwise each would wait
 * that long.
 */
const waitMsMax = 10_000;
const waitMs = 20;

/** Performs the steps of areas one after another. */
export class ScenarioRunner {
  readonly facts: RunFacts;
  readonly #endpoint: ServerEndpoint;
  readonly #token: string;
  readonly #isStopped: () => boolean;
  readonly #answers = new Map<Step, StepAnswer>();
  /** The reasons why steps have no answer for later ones. */
  readonly #absences = new Map<Step, string>();
  /** Operations whose refusals were checked. */
  readonly #refused = new Set<Operation>();
  #edition: Edition = "ultimate";
  #isOutpost = true;
  #isSandbox = true;
  /** The number of consecutive calls without an answer. */
  #unanswered = 0;
  #waitMsLeft = waitMsMax;

  constructor(endpoint: ServerEndpoint, token: string, random: string, isStopped: () => boolean) {
    this.#endpoint = endpoint;
    this.#token = token;
    this.#isStopped = isStopped;
    this.facts = {
      random,
      answerOf: (step) => {
        const answer = this.#answers.get(step);
        if (answer === undefined) throw new MissingValue(`${step.call} has no answer`);
        return answer;
      },
    };
  }

  /** Performs the steps, until the user stops the run. */
  async run({ name, steps }: Area): Promise<AreaResult> {
    const result = newResult(name);
    for (const step of steps) {
      if (this.#isStopped()) break;
      const reason = this.reasonToSkip(step);
      if (reason === undefined) await this.perform(step, result);
      else {
        this.#absences.set(step, reason);
        skip(result, reason);
      }
    }
    return result;
  }

  /**
   * Finds out whether the server is Outpost, whether it is a sandbox, and its edition, which no call of the platform shows.
   */
  async probe(): Promise<void> {
    const description = await this.take(descriptionCall);
    this.#isOutpost = titleOf(description.body) === apiTitle;
    this.#isSandbox = description.header("X-Outpost-Sandbox") === "true";
    const isPaid = memberOf(this.#answers.get(metadata)?.body, "enterprise") === true;
    const isAsked = isPaid && this.#absenceIn(paidCall.path) === undefined;
    if (!isAsked || (await this.take(paidCall)).status === 403) this.#edition = "community";
  }

  /** Repeats a call, which is no check, until it has the status. Returns false when `end` comes first. */
  async waitFor(step: Step, status: number, end: number): Promise<boolean> {
    for (; ; await Bun.sleep(waitMs)) {
      if ((await this.take(step)).status === status) return true;
      if (Date.now() > end) return false;
    }
  }

  /** Performs a call that is no check. */
  async take(step: Step): Promise<StepAnswer> {
    return this.#send(await prepareCall(operationOf(step), step, this.facts), step);
  }

  hasAnswer(step: Step): boolean {
    return this.#answers.has(step);
  }

  /** Returns the reason to skip a step: its own, or that of a step whose answer it needs. */
  reasonToSkip(step: Step): string | undefined {
    if (this.#unanswered >= unansweredMax) return "the server does not answer";
    const { tier = "community", as = "root" } = step.options;
    const operation = operationOf(step);
    const { who, tier: ownTier = "community" } = operation;
    const caller = typeof as === "string" ? tokens[as] : as;
    const absence = this.#absenceIn([step.path, step.options, caller]);
    if (absence !== undefined) return absence;
    const lacking = [tier, ownTier].find((each) => !includesTier(this.#edition, each));
    if (lacking !== undefined) return `tier: ${lacking}`;
    if (!this.#isOutpost && isOfOutpost(operation)) return "only Outpost has this call";
    const isOfSandbox = operation.http?.partOf === "sandbox" || step.options.isOfSandbox === true;
    if (!this.#isSandbox && isOfSandbox) return "only a sandbox has this call";
    const isForAdministrators =
      step.options.needs === "administrator" || who === "administrator" || who === "administrator_first";
    if (isForAdministrators && as === "root" && !this.isAdministrator) return lackOfRight;
    return undefined;
  }

  /** True when the given token is an administrator's. */
  get isAdministrator(): boolean {
    return memberOf(this.#answers.get(me)?.body, "is_admin") === true;
  }

  get isStopped(): boolean {
    return this.#isStopped();
  }

  #absenceIn(value: unknown): string | undefined {
    for (const step of stepsIn(value)) {
      const reason = this.#absences.get(step);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Sends the call of a step, and notes the difference from the expected answer. */
  async perform(step: Step, result: AreaResult, prepare: PrepareCall = prepareCall): Promise<void> {
    const failure = await this.#failureOf(step, prepare, result);
    // A stop also ends a step that waits for something.
    if (failure !== undefined && this.#isStopped()) return;
    if (failure === undefined) result.passed += 1;
    else {
      result.failures.push(failure);
      if (!this.#answers.has(step)) this.#absences.set(step, `needs ${step.call}, which failed`);
    }
  }

  async #failureOf(step: Step, prepare: PrepareCall, result: AreaResult): Promise<FailedCall | undefined> {
    let name = step.call;
    try {
      const operation = operationOf(step);
      const call = await prepare(operation, step, this.facts);
      name = callName(call, step.options.as ?? "root");
      const { status = 200, waits } = step.options;
      if (status < 300 && !this.#refused.has(operation)) {
        this.#refused.add(operation);
        await this.#tryRefusals(call, step, result);
      }
      const { as = "root" } = step.options;
      const differenceOf = (each: StepAnswer) => findDifference(operation, step.options, each, this.facts);
      const isMet = (each: StepAnswer) => waits !== true || differenceOf(each) === undefined;
      const answer = await this.sendUntil(call, as, isMet);
      const difference = differenceOf(answer);
      // Later steps and the clean-up may need an unexpected success too.
      if (difference === undefined || answer.status < 300) this.#answers.set(step, answer);
      return difference === undefined ? undefined : { call: name, ...difference };
    } catch (error) {
      if (error instanceof MissingValue)
        return { call: name, expected: "what the call needs", received: error.message };
      if (!(error instanceof NoAnswer)) throw error;
      this.#unanswered += 1;
      return { call: name, expected: "an answer", received: error.message };
    }
  }

  async #tryRefusals(call: PreparedCall, step: Step, result: AreaResult): Promise<void> {
    const operation = operationOf(step);
    for (const refusal of refusalsOf(operation, step.options)) {
      const token = this.#tokenOfRefused(refusal, operation);
      const absence = this.#absenceIn(token);
      if (absence !== undefined) {
        skip(result, absence);
        continue;
      }
      const value = token === undefined ? undefined : String(token.read(this.facts));
      const answer = await this.#sendAs(call, value);
      const isRefused = answer.status === refusal.status;
      const difference = isRefused
        ? refusalDifference(answer)
        : { expected: `status ${refusal.status}`, received: answerLine(answer) };
      if (difference === undefined) result.passed += 1;
      else result.failures.push({ call: callName(call, refusal.caller), ...difference });
    }
  }

  #tokenOfRefused({ caller }: Refusal, operation: Operation): Reference | undefined {
    return caller === "wrong scope" ? narrowTokens[wrongScopeFor(operation)] : tokens[caller];
  }

  #send(call: PreparedCall, { options: { as = "root" } }: Step): Promise<StepAnswer> {
    return this.send(call, as);
  }

  send(call: PreparedCall, as: Role | Reference): Promise<StepAnswer> {
    const reference = typeof as === "string" ? tokens[as] : as;
    const own = as === "root" ? this.#token : undefined;
    return this.#sendAs(call, reference === undefined ? own : String(reference.read(this.facts)));
  }

  /** Repeats a call until its answer meets the condition or the time is over. Returns the last answer. */
  async sendUntil(
    call: PreparedCall,
    as: Role | Reference,
    isMet: (answer: StepAnswer) => boolean,
  ): Promise<StepAnswer> {
    const begun = Date.now();
    for (; ; await Bun.sleep(waitMs)) {
      const answer = await this.send(call, as);
      if (isMet(answer) || this.#isStopped()) return answer;
      if (Date.now() - begun < this.#waitMsLeft) continue;
      this.#waitMsLeft = Math.max(0, this.#waitMsLeft - (Date.now() - begun));
      return answer;
    }
  }

  async #sendAs(call: PreparedCall, token: string | undefined): Promise<StepAnswer> {
    const answer = await sendCall(this.#endpoint, call, token);
    this.#unanswered = 0;
    return answer;
  }
}

export function newResult(area: string): AreaResult {
  return { area, passed: 0, failures: [], skipped: new Map() };
}

export function skip({ skipped }: AreaResult, reason: string): void {
  skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
}

export function callName({ method, path, body }: PreparedCall, as: string | Reference): string {
  const caller = as instanceof Reference ? "a token of its own" : as;
  const content = typeof body === "string" && body !== "" ? ` ${body}` : "";
  return `${method} ${path} as ${caller}${content}`;
}

function titleOf(description: unknown): unknown {
  return memberOf(memberOf(description, "info"), "title");
}
