import { collection, field, log, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** The fields that a delivery has from its beginning to its end. */
const common = {
  id: field.whole,
  /** Name of a `DeliveryKind`. */
  kind: field.text,
  /** The address that it goes to: of a person, or of a server. */
  target: field.text,
  /** The record of the kind that has the content, such as a mail. */
  reference: field.whole,
  /** Attempts that ended. */
  attempts: field.whole,
  /** The result of the last attempt; null before the first. */
  last_status: field.nullable(field.text),
  created_at: field.moment,
};

/** A delivery that waits: from the transaction of its cause to the one that notes its end. */
export const DeliveryRecord = record({
  ...common,
  /** Deliveries of one lane go one after the other. */
  lane: field.text,
  /** In a lane, the first queue of the alphabet is emptied first. */
  queue: field.text,
  /** The user or project that caused it, such as `user 5`. In a queue, each cause has its turn. */
  cause: field.text,
  /** JSON: what the kind needs beside the content. */
  payload: field.optional(field.anything),
  /** Not before. */
  due_at: field.moment,
});
export type DeliveryRecord = RecordOf<typeof DeliveryRecord>;

/** `failed`: all attempts did. `dropped`: it was not to be sent any more. */
export const deliveryEnds = ["sent", "failed", "dropped"] as const;
export type DeliveryEnd = (typeof deliveryEnds)[number];

/** A delivery that ended; of the same id. */
export const EndedDeliveryRecord = record({
  ...common,
  end: field.oneOf(...deliveryEnds),
  ended_at: field.moment,
  /** Milliseconds of the last attempt. */
  duration_ms: field.whole,
});
export type EndedDeliveryRecord = RecordOf<typeof EndedDeliveryRecord>;

export const deliveries = collection("deliveries", DeliveryRecord, {
  indexes: {
    id: ordered((delivery) => delivery.id),
    due_at: ordered((delivery) => delivery.due_at),
    reference: unique((delivery) => `${delivery.kind} ${delivery.reference}`),
    /** The references of each kind, in their order. */
    reference_order: ordered((delivery) => referenceKey(delivery.kind, delivery.reference)),
    /** The deliveries of each kind, lane, queue and cause, by the time at which they are due. */
    turn: ordered((delivery) => [...turnParts(delivery), delivery.due_at].join(separator)),
  },
  isSecret: true,
});

export const endedDeliveries = log("ended-deliveries", EndedDeliveryRecord, {
  timeOf: (delivery) => Date.parse(delivery.ended_at),
  keysOf: () => [],
  hasGaps: true,
  isSecret: true,
  sequence: undefined,
});

/** Stands between the parts of a key. */
const separator = "\t";
/** The character behind the separator. */
const behindSeparator = "\n";

/** The beginning of the turn keys of deliveries. */
export type TurnParts = readonly [kind: string, lane?: string, queue?: string, cause?: string];

function turnParts({ kind, lane, queue, cause }: DeliveryRecord): TurnParts {
  return [kind, lane, queue, cause];
}

/** Keys around those of the deliveries whose turn keys begin with these parts. */
export function turnRange(...parts: TurnParts): readonly [before: string, behind: string] {
  const start = parts.join(separator);
  return [`${start}${separator}`, `${start}${behindSeparator}`];
}

const referenceDigits = 16;

function referenceKey(kind: string, reference: number): string {
  return `${kind}${separator}${String(reference).padStart(referenceDigits, "0")}`;
}
