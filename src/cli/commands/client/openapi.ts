import { writeFileSync } from "node:fs";
import type { OpenApiVersion } from "../../../domain/release.ts";
import { StartError } from "../../../domain/start-error.ts";
import { apiTags } from "../../../modules/operations.ts";
import { apiDocument } from "../../../server/api-document.ts";
import { print } from "../../output/terminal.ts";

interface OpenApiOptions {
  /** undefined means stdout. */
  readonly file: string | undefined;
  readonly version: OpenApiVersion;
}

/** Writes the document of `/-/openapi.json`, indented, to stdout or `file`. Throws `StartError`. */
export async function openapi({ file, version }: OpenApiOptions): Promise<void> {
  const document: unknown = JSON.parse(await apiDocument(apiTags, version));
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (file === undefined) {
    await print(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`cannot write ${file}: ${reason}`, "outpost openapi --out FILE", { cause: error });
  }
}
