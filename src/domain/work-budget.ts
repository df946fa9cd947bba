import { AsyncLocalStorage } from "node:async_hooks";
import { type Pace, paceOf, yieldToOthers } from "../lib/yield.ts";
import { Failure } from "./failure.ts";
import { TextScans } from "./text-scans.ts";

/** The cause of long work: the input of the request, or the amount of data in the store. */
export type WorkCause = "input" | "store";

/** The most steps of one request. A step is about 10 ns, so this is a third of a second. */
export const requestStepsMax = 30_000_000;

/** The steps of a document lookup. */
export const documentSteps = 10;

/** Thrown when a request takes too many steps: 400 when its input is the cause, 503 when the size of the store is. */
export class OverBudget extends Failure {
  readonly workCause: WorkCause;

  constructor(cause: WorkCause) {
    if (cause === "input")
      super("invalid", { message: "400 Bad request - the request asks for too much work at once" });
    else {
      super("unavailable", {
        message: "503 Service Unavailable - the request takes too much work in a store of this size; narrow it down",
      });
    }
    this.workCause = cause;
  }
}

/** The work of one request, counted in steps. */
export class WorkBudget {
  #steps = 0;
  readonly #stepsMax: number;

  constructor(stepsMax = requestStepsMax) {
    this.#stepsMax = stepsMax;
  }

  /** Called with the bytes of each change of the request, and with the bytes that it takes in memory besides. */
  onWritten: (bytes: number, besideBytes: number) => void = () => {};

  /**
   * Throws the error that the request would get now, such as for a revoked token. Set once the request waits; undefined when
   * no caller needs another check.
   */
  confirm: (() => void) | undefined;

  /** True when the caller repeats the work after `WorkPaused`. Must be set before texts are searched. */
  mayPause = false;
  #scans: TextScans | undefined;

  /** The text searches of the work. */
  get scans(): TextScans {
    this.#scans ??= new TextScans((steps) => this.spend(steps, "store"), this.mayPause);
    return this.#scans;
  }

  /**
   * True when changes of the work are accepted while memory is nearly full: work that frees memory, sign-ins of
   * administrators and their work, and work that no request waits for.
   */
  isEssential = true;

  /** Waits for the next slice of the work. */
  nextTurn: () => Promise<void> = yieldToOthers;

  /** The number of steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Throws the errors of `confirm`. Changes that `confirm` itself makes are not checked. */
  requireConfirmation(): void {
    const { confirm } = this;
    if (confirm === undefined) return;
    this.confirm = undefined;
    try {
      confirm();
    } finally {
      this.confirm = confirm;
    }
  }

  /** Counts steps before they are taken. Throws `OverBudget` when they are too many. */
  spend(steps: number, cause: WorkCause): void {
    this.#steps += steps;
    if (this.#steps > this.#stepsMax) throw new OverBudget(cause);
  }
}

const current = new AsyncLocalStorage<WorkBudget | undefined>();

/** Runs the work of a request, including its asynchronous parts, with a budget. */
export function withBudget<R>(budget: WorkBudget, work: () => R): R {
  return current.getStore() === budget ? work() : current.run(budget, work);
}

/** Runs work that a request starts but does not own, without a limit. */
export function withoutBudget<R>(work: () => R): R {
  return hasBudget() ? current.run(undefined, work) : work();
}

/** Runs the end of a change that can no longer be refused: without a limit on steps, but its bytes still count. */
export function withoutLimit<R>(work: () => R): R {
  const budget = current.getStore();
  if (budget === undefined) return work();
  const unlimited = new WorkBudget(Number.POSITIVE_INFINITY);
  unlimited.isEssential = budget.isEssential;
  unlimited.nextTurn = budget.nextTurn;
  unlimited.onWritten = (bytes, besideBytes) => budget.onWritten(bytes, besideBytes);
  unlimited.confirm = () => budget.requireConfirmation();
  return current.run(unlimited, work);
}

/** Runs read-only work if it takes few steps, which count for the request. Resolves with undefined if it takes more. */
export async function withinSteps<R>(stepsMax: number, work: () => Promise<R>): Promise<R | undefined> {
  const part = new WorkBudget(stepsMax);
  const outer = current.getStore();
  if (outer !== undefined) part.nextTurn = () => outer.nextTurn();
  try {
    return await current.run(part, work);
  } catch (error) {
    if (!(error instanceof OverBudget) || part.steps <= stepsMax) throw error;
    return undefined;
  } finally {
    outer?.spend(Math.min(part.steps, stepsMax), "store");
  }
}

/** Calls `onWritten` with the changes of the current request from now on, if there is a request. */
export function reportWritten(onWritten: WorkBudget["onWritten"]): void {
  const budget = current.getStore();
  if (budget !== undefined) budget.onWritten = onWritten;
}

/** Reports the bytes of a change of the current request, if there is one, and the bytes that it takes in memory besides. */
export function noteWritten(bytes: number, besideBytes = 0): void {
  current.getStore()?.onWritten(bytes, besideBytes);
}

/**
 * Throws the error that the current request would get now, if it has waited. The store and repositories call it before each
 * change, so that no handler needs to.
 */
export function confirmWork(): void {
  current.getStore()?.requireConfirmation();
}

/** True when changes of the current work are accepted while memory is nearly full. */
export function isEssentialWork(): boolean {
  return current.getStore()?.isEssential ?? true;
}

/** True when steps are counted. Otherwise they need not be computed. */
export function hasBudget(): boolean {
  return current.getStore() !== undefined;
}

/** Counts steps of the current request, if there is one, before they are taken. Throws `OverBudget`. */
export function spend(steps: number, cause: WorkCause = "store"): void {
  current.getStore()?.spend(steps, cause);
}

/**
 * Waits for the next slice of the current work. The slices of all requests run one after another. Call it after each slice
 * of long asynchronous work.
 */
export function nextTurn(): Promise<void> {
  return (current.getStore()?.nextTurn ?? yieldToOthers)();
}

/** Returns a pace of small steps, for work that a request waits for. */
export function requestPace(): Pace {
  return paceOf(() => false, undefined, nextTurn);
}

/** Returns the text searches of the current request, if there is one. */
export function currentScans(): TextScans | undefined {
  return current.getStore()?.scans;
}
