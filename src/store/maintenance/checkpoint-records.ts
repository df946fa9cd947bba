import { collection } from "../collection.ts";
import { multi, unique } from "../indexes/index.ts";
import { field, type RecordOf, record } from "../records/record.ts";

/** A named state of the store to which it can be put back. Ids rise with time. */
export const Checkpoint = record({
  id: field.whole,
  name: field.text,
  /** Number of the last transaction that it has. */
  position: field.whole,
  created_at: field.moment,
  /** Documents of all collections then. */
  documents: field.whole,
  /** State of the random numbers then; null: they follow from nothing. */
  random_state: field.nullable(field.whole),
  /** The documents are put back to it already, what is outside of the store perhaps not yet. */
  is_restoring: field.flag,
});
export type Checkpoint = RecordOf<typeof Checkpoint>;

export const checkpoints = collection("checkpoints", Checkpoint, {
  indexes: { name: unique((checkpoint) => checkpoint.name) },
  sequence: undefined,
  isSecret: true,
});

/** A document as it was at a checkpoint, kept by the first change between that one and the next. */
export const CheckpointChange = record({
  id: field.whole,
  checkpoint_id: field.whole,
  collection: field.text,
  document_id: field.whole,
  /** null: there was none. */
  before: field.anything,
  /** Hashes of the blobs that it names. */
  blobs: field.listOf(field.text),
});
export type CheckpointChange = RecordOf<typeof CheckpointChange>;

export const checkpointChanges = collection("checkpoint-changes", CheckpointChange, {
  indexes: {
    checkpoint_id: multi((change) => [change.checkpoint_id]),
  },
  blobsOf: (change) => change.blobs,
  sequence: undefined,
  isSecret: true,
});
