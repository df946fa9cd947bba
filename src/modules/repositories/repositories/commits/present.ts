import type { Static } from "@sinclair/typebox";
import type { Commit } from "../../../../git/index.ts";
import type { CommitSignature } from "./schema.ts";

/** The signature of a signed commit, which the server does not check. */
export function presentSignature({ gpgsig = "" }: Commit): Static<typeof CommitSignature> {
  const commit_source = "gitaly" as const;
  if (gpgsig.includes("BEGIN SSH SIGNATURE")) {
    return { signature_type: "SSH", verification_status: "unverified", commit_source, key: null };
  }
  if (gpgsig.includes("BEGIN SIGNED MESSAGE")) {
    return { signature_type: "X509", verification_status: "unverified", commit_source, x509_certificate: null };
  }
  return {
    signature_type: "PGP",
    verification_status: "unknown_key",
    commit_source,
    gpg_key_id: null,
    gpg_key_primary_keyid: null,
    gpg_key_user_name: null,
    gpg_key_user_email: null,
    gpg_key_subkey_id: null,
  };
}
