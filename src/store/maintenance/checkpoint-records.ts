import { collection } from "../collection.ts";
import { multi, unique } from "../indexes/index.ts";
import { field, type RecordOf, record } from "../records/record.ts";

/** A named state of the store, to which it can be restored. Ids ascend with time. */
export const Checkpoint = record({
  id: field.whole,
  name: field.text,
  /** The number of its last transaction. */
  position: field.whole,
  created_at: field.moment,
  /** The number of documents in all collections at that time. */
  documents: field.whole,
  /** The state of the random numbers at that time; null when they have no seed. */
  random_state: field.nullable(field.whole),
  /** True when the documents are restored, but data outside of the store may not be yet. */
  is_restoring: field.flag,
});
export type Checkpoint = RecordOf<typeof Checkpoint>;

export const checkpoints = collection("checkpoints", Checkpoint, {
  indexes: { name: unique((checkpoint) => checkpoint.name) },
  sequence: undefined,
  isSecret: true,
});

/** The state of a document at a checkpoint. The first change after the checkpoint stores it. */
export const CheckpointChange = record({
  id: field.whole,
  checkpoint_id: field.whole,
  collection: field.text,
  document_id: field.whole,
  /** null when the document did not exist. */
  before: field.anything,
  /** Hashes of the blobs that `before` names. */
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
