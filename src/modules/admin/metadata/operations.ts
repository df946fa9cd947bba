import { Type } from "@sinclair/typebox";
import type { Edition } from "../../../domain/edition.ts";
import { apiVersion, revision } from "../../../domain/release.ts";
import { ok, operation } from "../../kernel/operation.ts";

const Version = Type.Object({ version: Type.String(), revision: Type.String() }, { $id: "Version" });
const nullableText = Type.Union([Type.String(), Type.Null()]);
const Metadata = Type.Object(
  {
    ...Version.properties,
    kas: Type.Object({
      enabled: Type.Boolean(),
      externalUrl: nullableText,
      externalK8sProxyUrl: nullableText,
      version: nullableText,
    }),
    enterprise: Type.Boolean(),
  },
  { $id: "Metadata" },
);

function presentVersion(edition: Edition) {
  return { version: edition === "community" ? apiVersion : `${apiVersion}-ee`, revision };
}

/** users-and-auth 19. */
export const metadataOperations = [
  operation({
    method: "GET",
    path: "/version",
    summary: "Get the version",
    who: "signed_in",
    scopes: ["read_user"],
    params: Type.Object({}),
    answer: ok(Version),
    handle: ({ context }) => presentVersion(context.edition),
  }),

  operation({
    method: "GET",
    path: "/metadata",
    summary: "Get the metadata of the instance",
    who: "signed_in",
    scopes: ["read_user"],
    params: Type.Object({}),
    answer: ok(Metadata),
    handle: ({ context }) => ({
      ...presentVersion(context.edition),
      kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
      enterprise: context.edition !== "community",
    }),
  }),
];
