import { Elysia } from "elysia";
import type { OpenApiVersion } from "../../domain/release.ts";
import type { ApiTag } from "../../modules/kernel/operation.ts";
import { describeApi } from "./document.ts";
import { withFieldDescriptions } from "./fields/index.ts";
import { toVersion30 } from "./version-3-0.ts";
import { type ApiExamples, withExamples } from "./with-examples.ts";

export { describeAccessRule } from "./document.ts";

/** The path at which the plugin serves the document, for the function below. */
const documentPath = "/openapi.json";

interface RenderOptions {
  /** Default: 3.1. */
  readonly version?: OpenApiVersion;
  readonly examples?: ApiExamples;
}

/**
 * Returns the OpenAPI document as JSON, made by `@elysiajs/swagger`. The plugin takes 7 ms to load and adds a page with
 * third-party scripts, so it runs in its own Elysia without other routes, for one request.
 */
export async function renderApiDocument(
  tags: readonly ApiTag[],
  { version = "3.1", examples }: RenderOptions = {},
): Promise<string> {
  const { swagger } = await import("@elysiajs/swagger");
  const documentation = withFieldDescriptions(describeApi(tags));
  const described = examples === undefined ? documentation : withExamples(documentation, examples);
  const handedOver = (version === "3.0" ? toVersion30(described) : described) as PluginDocumentation;
  const app = new Elysia().use(swagger({ documentation: handedOver, specPath: documentPath }));
  const answer = await app.handle(new Request(`http://localhost${documentPath}`));
  if (!answer.ok) throw new Error(`the API document could not be made: ${answer.status} ${await answer.text()}`);
  return answer.text();
}

/** The plugin's types are for OpenAPI 3.0, but it passes 3.1 on unchanged. */
type PluginDocumentation = NonNullable<
  NonNullable<Parameters<typeof import("@elysiajs/swagger")["swagger"]>[0]>["documentation"]
>;
