import { AsyncLocalStorage } from "node:async_hooks";
import { type Pace, paceOf, yieldToOthers } from "../lib/yield.ts";
import { Failure } from "./failure.ts";
import { TextScans } from "./text-scans.ts";

/** Cause of long work: the input of the request, or the amount of data in the store. */
export type WorkCause = "input" | "store";

/** Steps that one request may take. A step is 10 ns of work or so: a third of a second in all. */
export const requestStepsMax = 30_000_000;

/** The steps of a document that is looked up. */
export const documentSteps = 10;

/** The request takes more steps than one request may: 400 where its input is the cause, 503 where the store's size is. */
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

/** The work of one request, in steps. */
export class WorkBudget {
  #steps = 0;
  readonly #stepsMax: number;

  constructor(stepsMax = requestStepsMax) {
    this.#stepsMax = stepsMax;
  }

  /** Called with the bytes of each change that the request makes, and those that it takes in memory beside them. */
  onWritten: (bytes: number, besideBytes: number) => void = () => {};

  /**
   * Throws the error that the request would get now, such as for a token that was revoked meanwhile. Set once the request waits;
   * undefined: nobody is to be looked at again.
   */
  confirm: (() => void) | undefined;

  /** Whether the caller repeats the work after `WorkPaused`. To be set before texts are searched. */
  mayPause = false;
  #scans: TextScans | undefined;

  /** The search of texts. */
  get scans(): TextScans {
    this.#scans ??= new TextScans((steps) => this.spend(steps, "store"), this.mayPause);
    return this.#scans;
  }

  /**
   * Whether changes of the work are accepted while hardly any memory is left: what frees memory, what lets administrators in, and
   * what they do. Work that no request waits for is accepted, too: it ends what was accepted before.
   */
  isEssential = true;

  /** Waits for a turn of the event loop for a slice of the work. */
  nextTurn: () => Promise<void> = yieldToOthers;

  /** Steps taken so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Throws what `confirm` throws. Changes that it makes itself are not confirmed. */
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

  /** Counts steps that are about to be taken. Throws `OverBudget` when they are too many. */
  spend(steps: number, cause: WorkCause): void {
    this.#steps += steps;
    if (this.#steps > this.#stepsMax) throw new OverBudget(cause);
  }
}

const current = new AsyncLocalStorage<WorkBudget | undefined>();

/** Runs the work of a request, and whatever it awaits, against a budget. */
export function withBudget<R>(budget: WorkBudget, work: () => R): R {
  return current.getStore() === budget ? work() : current.run(budget, work);
}

/** Runs work that a request sets off and that is not the request's own: it may take as long as it needs. */
export function withoutBudget<R>(work: () => R): R {
  return hasBudget() ? current.run(undefined, work) : work();
}

/** Runs the end of a change that is not refused any more: no limit applies to its work, and its bytes count all the same. */
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

/** Runs work that only reads, as long as it takes few steps; they count for the request. Resolves with undefined where it takes more. */
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

/** Has the changes of the request under way reported from now on, if there is a request. */
export function reportWritten(onWritten: WorkBudget["onWritten"]): void {
  const budget = current.getStore();
  if (budget !== undefined) budget.onWritten = onWritten;
}

/** Reports the bytes of a change that the request under way makes, if there is one, and what it takes in memory beside them. */
export function noteWritten(bytes: number, besideBytes = 0): void {
  current.getStore()?.onWritten(bytes, besideBytes);
}

/**
 * Throws the error that the request under way would get now, if it has waited. Called before each change of documents and
 * repositories, so that no handler has to remember it.
 */
export function confirmWork(): void {
  current.getStore()?.requireConfirmation();
}

/** Whether changes of the work under way are accepted while hardly any memory is left. */
export function isEssentialWork(): boolean {
  return current.getStore()?.isEssential ?? true;
}

/** Whether steps are counted: only then need they be worked out. */
export function hasBudget(): boolean {
  return current.getStore() !== undefined;
}

/** Counts steps of the request under way, if there is one, before they are taken. Throws `OverBudget`. */
export function spend(steps: number, cause: WorkCause = "store"): void {
  current.getStore()?.spend(steps, cause);
}

/**
 * Waits for the next turn of the work under way: the slices of all requests go one after the other, however many requests come
 * at once. Awaited after each slice of long work behind an `await`.
 */
export function nextTurn(): Promise<void> {
  return (current.getStore()?.nextTurn ?? yieldToOthers)();
}

/** The pace of work that a request waits for, in small steps. */
export function requestPace(): Pace {
  return paceOf(() => false, undefined, nextTurn);
}

/** The search of texts by the request under way, if there is one. */
export function currentScans(): TextScans | undefined {
  return current.getStore()?.scans;
}
