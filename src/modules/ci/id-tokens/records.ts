import { collection, field, type RecordOf, record } from "../../../store/index.ts";

/** One document, id 1: the key that signs ID tokens of jobs. */
export const SigningKeyRecord = record({
  id: field.oneOf(1),
  /** PKCS 8 in PEM; left out after an import without secrets, until the next use makes another. */
  private_key: field.optional(field.text),
  created_at: field.moment,
});
export type SigningKeyRecord = RecordOf<typeof SigningKeyRecord>;

export const signingKeys = collection("signing-keys", SigningKeyRecord, {
  secrets: { private_key: "omit" },
});
