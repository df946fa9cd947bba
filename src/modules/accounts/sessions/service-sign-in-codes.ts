import type { Caller } from "../../../domain/caller.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { digestOf } from "../../../lib/token-digest.ts";
import type { Transaction } from "../../../store/index.ts";
import { recordUserEvent } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type SignInCodeRecord, signInCodes } from "./records.ts";

/** A code that is shown once and not stored. */
export interface NewSignInCode {
  readonly code: string;
  readonly expiresAt: DateTime;
}

const codeLength = 32;
const lifeMs = 15 * 60_000;

/** Makes a code that signs the user in once, within a quarter of an hour. */
export function insertSignInCode(tx: Transaction, context: Context, caller: Caller, user: UserRecord): NewSignInCode {
  const { clock, randomness } = context;
  const code = randomness.token(codeLength);
  const expiresAt = toDateTime(clock.now() + lifeMs);
  tx.insert(signInCodes, {
    id: tx.nextId("sign-in-codes"),
    user_id: user.id,
    expires_at: expiresAt,
    digest: digestOf(code),
  });
  recordUserEvent(tx, context, caller, user, "sign_in_code_created", { custom_message: "Created a sign-in code" });
  return { code, expiresAt };
}

/** The code as a person has it; undefined once it was used or is too old. */
export function findSignInCode({ store, clock }: Context, code: string): SignInCodeRecord | undefined {
  const documents = store.of(signInCodes);
  const id = documents.by.digest.find(digestOf(code));
  const record = id === undefined ? undefined : documents.get(id);
  return record === undefined || Date.parse(record.expires_at) <= clock.now() ? undefined : record;
}

/** The address of the console with a code in its fragment, which a browser sends to nobody. */
export function addressWithCode(baseUrl: string, code: string): string {
  return `${baseUrl}/-/console/#code=${code}`;
}
