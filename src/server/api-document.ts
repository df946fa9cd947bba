import { type CodedFile, inMemory } from "../console/coded-file.ts";
import type { OpenApiVersion } from "../domain/release.ts";
import type { ApiTag } from "../modules/kernel/operation.ts";
import { builtDocuments } from "./built-documents.ts";

/** Returns the document as JSON: built into the executable, or made now when run from source. */
export async function apiDocument(tags: readonly ApiTag[], version: OpenApiVersion): Promise<string> {
  const built = builtDocuments?.[version];
  if (built !== undefined) return new TextDecoder().decode(Bun.gunzipSync(await built.gzip()));
  const { renderApiDocument } = await import("../http/openapi/index.ts");
  return renderApiDocument(tags, { version });
}

/** Returns the document of a server with the given base path, which may be empty. */
export async function servedDocument(
  tags: readonly ApiTag[],
  version: OpenApiVersion,
  basePath: string,
): Promise<CodedFile> {
  const built = builtDocuments?.[version];
  if (built !== undefined && basePath === "") return built;
  const json = await apiDocument(tags, version);
  const served = basePath === "" ? json : JSON.stringify({ ...JSON.parse(json), servers: [{ url: basePath }] });
  return inMemory(new TextEncoder().encode(served));
}
