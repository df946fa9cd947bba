import { Elysia } from "elysia";
import type { OpenApiVersion } from "../../domain/release.ts";
import type { ApiTag } from "../../modules/kernel/operation.ts";
import { type Documentation, describeApi } from "./document.ts";
import { readExamples } from "./examples.ts";
import { withFieldDescriptions } from "./fields/index.ts";
import { toVersion30 } from "./version-3-0.ts";
import { withExamples } from "./with-examples.ts";

export { describeAccessRule } from "./document.ts";

/** The path at which the plugin serves the document; only the function below calls it. */
const documentPath = "/openapi.json";

interface RenderOptions {
  /** The path of the server below its host; empty by default. */
  readonly basePath?: string;
  /** 3.1 unless said. */
  readonly version?: OpenApiVersion;
}

/**
 * The OpenAPI document as JSON, as `@elysiajs/swagger` serves it. The plugin takes 7 ms to load and brings a page with
 * scripts of other hosts, so it sits in an Elysia of its own, which lives for one request and has no other routes.
 */
export async function renderApiDocument(
  tags: readonly ApiTag[],
  { basePath = "", version = "3.1" }: RenderOptions = {},
): Promise<string> {
  const { swagger } = await import("@elysiajs/swagger");
  const described = await described31(tags, basePath);
  const documentation = (version === "3.0" ? toVersion30(described) : described) as PluginDocumentation;
  const app = new Elysia().use(swagger({ documentation, specPath: documentPath }));
  const answer = await app.handle(new Request(`http://localhost${documentPath}`));
  if (!answer.ok) throw new Error(`the API document could not be made: ${answer.status} ${await answer.text()}`);
  return answer.text();
}

/** Examples in the executable; the first request for the document loads them. */
async function described31(tags: readonly ApiTag[], basePath: string): Promise<Documentation> {
  const documentation = withFieldDescriptions(describeApi(tags, basePath));
  return readExamples === undefined ? documentation : withExamples(documentation, await readExamples());
}

/** The plugin's types know OpenAPI 3.0 only; it hands 3.1 on as it is. */
type PluginDocumentation = NonNullable<
  NonNullable<Parameters<typeof import("@elysiajs/swagger")["swagger"]>[0]>["documentation"]
>;
