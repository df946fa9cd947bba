import type { Edition } from "../../domain/edition.ts";

/** The users of a scenario. The selftest creates all but `root`, who owns the given token, and `anonymous`. */
export type Role = "root" | "owner" | "developer" | "guest" | "stranger" | "anonymous";

/** An answer that later steps refer to. */
export interface StepAnswer {
  readonly status: number;
  readonly body: unknown;
  header(name: string): string | undefined;
}

/** The facts of a run, for references. */
export interface RunFacts {
  /** A text that differs in each run. */
  readonly random: string;
  answerOf(step: Step): StepAnswer;
}

/** A value that is known only during the run. */
export class Reference {
  /** The steps whose answers it needs. */
  readonly steps: readonly Step[];
  readonly read: (facts: RunFacts) => unknown;

  constructor(steps: readonly Step[], read: (facts: RunFacts) => unknown) {
    this.steps = steps;
    this.read = read;
  }
}

/** JSON with references in it. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Reference
  | readonly Value[]
  | { readonly [name: string]: Value | undefined };

/** A condition on a value of an answer. */
export class Matcher {
  /** The description of the condition, as in `a list with …`. */
  readonly text: string;
  readonly matches: (value: unknown) => boolean;

  constructor(text: string, matches: (value: unknown) => boolean) {
    this.text = text;
    this.matches = matches;
  }
}

/** The required content of an answer: objects may have more members, lists may not have more items. */
export type Expected =
  | string
  | number
  | boolean
  | null
  | Reference
  | Matcher
  | ListWith
  | readonly Expected[]
  | { readonly [name: string]: Expected };

/** A list with at least one item as expected. */
export class ListWith {
  readonly item: Expected;

  constructor(item: Expected) {
    this.item = item;
  }
}

/** The body of a request, and its type. */
export type Content =
  | { readonly json: Value }
  | { readonly raw: Value; readonly type: string }
  | { readonly file: { readonly field: string; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> } };

/** The callers whose refusal follows from the operation. */
export const refusedCallers = ["anonymous", "guest", "stranger", "wrong scope"] as const;
export type RefusedCaller = (typeof refusedCallers)[number];

export interface StepOptions {
  /** A role, or the token itself. Default: `root`. */
  readonly as?: Role | Reference;
  readonly query?: Readonly<Record<string, Value>>;
  readonly json?: Value;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, Value>>;
  /** Default: a success status that the operation declares. */
  readonly status?: number;
  readonly expect?: Expected;
  readonly expectHeaders?: Readonly<Record<string, Expected>>;
  /** The statuses of refusals that do not follow from the declaration; false skips the caller. */
  readonly refusals?: false | Partial<Readonly<Record<RefusedCaller, number | false>>>;
  /** The lowest edition, if the operation does not declare it. */
  readonly tier?: Edition;
  /** The right that the caller needs, if the operation does not declare it. */
  readonly needs?: "administrator";
  /** True when the call has another meaning on a server that is no sandbox. */
  readonly isOfSandbox?: true;
  /** A value of an earlier step that must come first, although this one does not send it. */
  readonly after?: Reference;
  /** True to repeat the call until the answer is as expected, since the server works after its answer. */
  readonly waits?: true;
}

/** A call, and the expected answer. */
export interface Step {
  /** The operation, as in the table of operations: `POST /projects/:id/issues`. */
  readonly call: string;
  /** The values of the path's parameters, or the whole path. */
  readonly path: Readonly<Record<string, Value>> | Reference;
  readonly options: StepOptions;
  /** Returns a member of the answer's JSON: `id`, `author.id`, `0.name`. */
  get(member: string): Reference;
  /** Returns a header of the answer. */
  header(name: string): Reference;
}

/** A call that undoes a step, and the call that answers 404 once it is undone. */
export interface Undo {
  readonly step: Step;
  readonly by: Step;
  readonly gone?: Step;
  /** True when `--keep` skips it. */
  readonly isKept?: boolean;
}

export interface Area {
  /** The name in `--area`. */
  readonly name: string;
  readonly steps: readonly Step[];
  readonly undos: readonly Undo[];
}

/** The names of the path parameters of a call such as `GET /groups/:id/members/:user_id`. */
type ParameterOf<C extends string> = C extends `${infer A}/${infer B}`
  ? ParameterOf<A> | ParameterOf<B>
  : C extends `:${infer N}`
    ? N
    : C extends `*${infer N}.${string}`
      ? N
      : C extends `*${infer N}`
        ? N
        : never;

export type PathValues<C extends string> = { readonly [K in ParameterOf<C>]: Value };

/** Collects the steps of an area in order. */
export class Scenario {
  readonly steps: Step[] = [];
  readonly undos: Undo[] = [];

  /** Adds a call that must succeed, unless the options name another status. */
  call<const C extends string>(call: C, path: PathValues<C> | Reference, options: StepOptions = {}): Step {
    const step = stepOf(call, path, options);
    this.steps.push(step);
    return step;
  }

  /** Adds a call for the end of the run, which happens if `step` succeeded, even when the run is interrupted. */
  undo<const C extends string>(
    step: Step,
    call: C,
    path: PathValues<C>,
    { gone, isKept, ...options }: StepOptions & { gone?: `GET ${string}`; isKept?: boolean } = {},
  ): void {
    this.undos.push({
      step,
      by: stepOf(call, path, options),
      ...(gone === undefined ? {} : { gone: stepOf(gone, path, {}) }),
      ...(isKept === undefined ? {} : { isKept }),
    });
  }
}

/** Returns a step that is in no scenario. */
export function stepOf(call: string, path: Step["path"], options: StepOptions): Step {
  const step: Step = {
    call,
    path,
    options,
    get: (member) => new Reference([step], (facts) => memberOf(facts.answerOf(step).body, member, call)),
    header: (name) => new Reference([step], (facts) => headerOf(facts.answerOf(step), name, call)),
  };
  return step;
}

function memberOf(body: unknown, path: string, call: string): unknown {
  let value = body;
  for (const name of path.split(".")) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  }
  if (value === undefined) throw new MissingValue(`the answer to ${call} has no ${path}`);
  return value;
}

function headerOf(answer: StepAnswer, name: string, call: string): string {
  const value = answer.header(name);
  if (value === undefined) throw new MissingValue(`the answer to ${call} has no header ${name}`);
  return value;
}

/** Thrown when an earlier answer lacks a value that a step needs. */
export class MissingValue extends Error {}

export function defineArea(name: string, build: (scenario: Scenario) => void): Area {
  const scenario = new Scenario();
  build(scenario);
  return { name, steps: scenario.steps, undos: scenario.undos };
}
