import { join } from "node:path";
import { plugin } from "bun";
import { renderApiDocument } from "../../http/openapi/index.ts";
import { apiTags } from "../../modules/operations.ts";

/** The API types for the console. They are not in git, since they are generated from the operations. */
export const apiTypesFile = join(import.meta.dir, "../app/api/generated.d.ts");

/** Generates the types of the paths, parameters and answers in the OpenAPI document. */
export async function renderApiTypes(): Promise<string> {
  // The generator needs the compiler's older interface, which TypeScript 7 lacks.
  plugin({
    name: "the compiler of the generator",
    setup(build) {
      build.module("typescript", async () => ({ exports: await import("typescript-5"), loader: "object" }));
    },
  });
  const { astToString, default: openapi } = await import("openapi-typescript");
  const document = await renderApiDocument(apiTags);
  return `// Generated from the OpenAPI document by src/console/build/api-types.ts.\n\n${astToString(await openapi(document))}`;
}

if (import.meta.main) await Bun.write(apiTypesFile, await renderApiTypes());
