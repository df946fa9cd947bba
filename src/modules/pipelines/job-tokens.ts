import type { Store } from "../../store/index.ts";
import { type CiJobRecord, ciJobs } from "./ci-jobs.ts";

export function digestOf(token: string): string {
  return Bun.SHA256.hash(token, "hex");
}

/** The job that a token was made for, running or not. */
export function findJobByToken(store: Store, token: string): CiJobRecord | undefined {
  const documents = store.of(ciJobs);
  return documents.get(documents.by.token_digest.find(digestOf(token)) ?? 0);
}
