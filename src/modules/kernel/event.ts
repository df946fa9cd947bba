import type { Transaction } from "../../store/index.ts";
import type { Context } from "./context.ts";

/** The place of a subscriber among those of its event: 1 runs first, 9 runs last. */
export type Phase = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/**
 * Something that happens in one module and that others react to. The module that publishes it declares it and lists it in
 * its manifest; an event about records that several modules change is declared beside those records.
 */
export interface DomainEvent<P> {
  /** kebab-case, with a past participle: `issue-changed`. Errors of the start name the event by it. */
  readonly name: string;
  /** The collection of the records that it is about (`recordEvents`). */
  readonly collection?: string;
  /** Has no value: it carries the type. */
  readonly payload?: P;
}

export function domainEvent<P>(name: string, collection?: string): DomainEvent<P> {
  return { name, ...(collection === undefined ? {} : { collection }) };
}

export interface Subscriber<P, R = undefined> {
  /** 5 unless said. In one phase, the order is that of the manifests. */
  readonly phase?: Phase;
  /** Reads what a transaction cannot wait for, before it begins. */
  prepare?(context: Context, payload: P): Promise<R>;
  /**
   * Runs in the transaction that publishes the event; an error that it throws undoes the transaction. Work outside the
   * transaction is a background job that it enqueues.
   */
  run(tx: Transaction, context: Context, payload: P, prepared: R): void;
}

/** A subscriber without the types of its event, for manifests. */
export interface Subscription extends Subscriber<unknown, unknown> {
  readonly event: DomainEvent<unknown>;
}

/** The subscriptions to each event that a manifest declares, in the order in which they run. */
export type Subscriptions = ReadonlyMap<DomainEvent<unknown>, readonly Subscription[]>;

/** Results of the subscribers' `prepare` for one publication of an event. */
export type Prepared = ReadonlyMap<Subscription, unknown>;

/** `on: [subscribe(issueChanged, { run: mailIssue })]` in a manifest. */
export function subscribe<P, R = undefined>(event: DomainEvent<P>, subscriber: Subscriber<P, R>): Subscription {
  return { event, ...subscriber } as unknown as Subscription;
}

/** Lets the subscribers prepare, one after the other. For events whose subscribers may have `prepare`. */
export async function prepare<P>(context: Context, event: DomainEvent<P>, payload: NoInfer<P>): Promise<Prepared> {
  const prepared = new Map<Subscription, unknown>();
  for (const subscription of subscriptionsTo(context, event)) {
    if (subscription.prepare !== undefined) prepared.set(subscription, await subscription.prepare(context, payload));
  }
  return prepared;
}

/** Runs the subscribers, in the transaction that makes the event true. */
export function publish<P>(
  tx: Transaction,
  context: Context,
  event: DomainEvent<P>,
  payload: NoInfer<P>,
  prepared?: Prepared,
): void {
  for (const subscription of subscriptionsTo(context, event)) {
    if (subscription.prepare !== undefined && prepared?.has(subscription) !== true) {
      throw new Error(`the event ${event.name} is published without what its subscribers prepare`);
    }
    subscription.run(tx, context, payload, prepared?.get(subscription));
  }
}

function subscriptionsTo({ subscriptions }: Context, event: DomainEvent<unknown>): readonly Subscription[] {
  const found = subscriptions.get(event);
  if (found === undefined) throw new Error(`no module in the list declares the event ${event.name}`);
  return found;
}
