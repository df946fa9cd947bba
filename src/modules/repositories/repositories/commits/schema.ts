import { Type } from "@sinclair/typebox";
import { projectId, text } from "../../../../domain/parameters.ts";

export const CommitInPath = { id: projectId(), sha: text({ description: "commit, branch or tag" }) };

/** commits 5: a branch or tag that has a commit in its history. */
export const CommitRef = Type.Object(
  { type: Type.Union([Type.Literal("branch"), Type.Literal("tag")]), name: Type.String() },
  { $id: "CommitRef" },
);

export const CommitSequence = Type.Object(
  { count: Type.Integer({ description: "commits that the commit's history has, itself included" }) },
  { $id: "CommitSequence" },
);

/** commits 8: the answer to a change that is only tried. */
export const DryRun = Type.Object(
  { dry_run: Type.Literal("success", { description: "success: the change can be applied" }) },
  { $id: "DryRun" },
);

const unknown = (description: string) => Type.Null({ description });

/** commits 5: a signature that nobody has checked. The members that it has depend on its type. */
export const CommitSignature = Type.Object(
  {
    signature_type: Type.Union([Type.Literal("PGP"), Type.Literal("SSH"), Type.Literal("X509")], {
      description: "kind of the signature",
    }),
    verification_status: Type.Union([Type.Literal("unknown_key"), Type.Literal("unverified")], {
      description: "signatures are not checked: unknown_key for PGP, else unverified",
    }),
    commit_source: Type.Literal("gitaly", { description: "always gitaly" }),
    gpg_key_id: Type.Optional(unknown("id of the key")),
    gpg_key_primary_keyid: Type.Optional(unknown("id of the primary key")),
    gpg_key_user_name: Type.Optional(unknown("name in the key")),
    gpg_key_user_email: Type.Optional(unknown("address in the key")),
    gpg_key_subkey_id: Type.Optional(unknown("id of the subkey")),
    key: Type.Optional(unknown("SSH key")),
    x509_certificate: Type.Optional(unknown("certificate")),
  },
  { $id: "CommitSignature" },
);
