import type { BunPlugin } from "bun";
import { embedCoded } from "../../console/build/embedding.ts";
import { openApiVersions } from "../../domain/release.ts";
import { renderApiDocument } from "../../http/openapi/index.ts";
import { apiTags } from "../../modules/operations.ts";
import { collectExamples } from "./examples/api-examples.ts";

/** Makes the OpenAPI documents in `folder`, and returns the plugin that puts them into an executable. */
export async function documentsInside(folder: string): Promise<BunPlugin> {
  const examples = await collectExamples();
  const imports: string[] = [];
  const entries: string[] = [];
  for (const version of openApiVersions) {
    const bytes = new TextEncoder().encode(await renderApiDocument(apiTags, { version, examples }));
    const coded = await embedCoded(`openapi-${version}.json`, bytes, folder, imports);
    entries.push(`${JSON.stringify(version)}: ${coded}`);
  }
  const contents = `${imports.join("\n")}\nexport const builtDocuments = { ${entries.join(", ")} };\n`;
  return {
    name: "OpenAPI documents",
    setup(build) {
      build.onLoad({ filter: /[\\/]server[\\/]built-documents\.ts$/ }, () => ({ contents, loader: "ts" }));
    },
  };
}
