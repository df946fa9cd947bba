/** The values that all operations of the distribution protocol share. */

import { type TProperties, Type } from "@sinclair/typebox";
import { text } from "../../../../domain/parameters.ts";
import { type Answer, created, oneOfResponses } from "../../../kernel/operation.ts";
import { distribution } from "./failures.ts";

/**
 * The common part of all operations: Basic with an access or job token as password, and the errors of the
 * specification.
 */
const common = {
  root: true,
  who: "signed_in",
  basicRealm: "outpost",
  takesJobToken: "container_registry",
  errorFormat: distribution,
} as const;
export const pulls = { ...common, scopes: ["read_registry", "write_registry"] } as const;
export const pushes = { ...common, scopes: ["write_registry"] } as const;

export const params = <P extends TProperties>(properties: P) => Type.Object(properties);
export const InName = {
  name: text({ description: "full path of the project, and what the repository is called below it" }),
};

export const contentHeaders = { Location: "where it is fetched from", "Docker-Content-Digest": "its digest" };
export const stored: Answer = oneOfResponses({ answer: created(Type.Object({})), headers: contentHeaders });

/** The outcome `stored`. */
export function storedAt(
  path: string,
  kind: "blobs" | "manifests",
  digest: string,
  baseUrl: string,
  more: Readonly<Record<string, string>> = {},
) {
  const headers = { Location: `${baseUrl}/v2/${path}/${kind}/${digest}`, "Docker-Content-Digest": digest, ...more };
  return { kind: "created", body: {}, headers } as const;
}
