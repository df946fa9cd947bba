import type { Config } from "../config/config.ts";
import type { OpenApiVersion } from "../domain/release.ts";
import { basePathOf } from "../lib/base-path.ts";
import type { ApiReference, ConsolePages } from "../modules/kernel/context.ts";
import type { ApiTag } from "../modules/kernel/operation.ts";

/** Builds the document and the page with the first request for each. */
export function apiReference({ externalUrl }: Config, apiTags: readonly ApiTag[]): ApiReference {
  const basePath = basePathOf(externalUrl);
  const documentIn = (version: OpenApiVersion) =>
    once(async () => {
      const { renderApiDocument } = await import("../http/openapi/index.ts");
      const { inMemory } = await import("../console/coded-file.ts");
      return inMemory(new TextEncoder().encode(await renderApiDocument(apiTags, { basePath, version })));
    });
  const documents = { "3.1": documentIn("3.1"), "3.0": documentIn("3.0") };
  const page = once(async () => {
    const { ApiPage } = await import("../console/api-page.ts");
    return new ApiPage(basePath);
  });
  return {
    document: async (version, acceptEncoding) => {
      const { contentOf } = await import("../console/coded-file.ts");
      return contentOf(await documents[version](), "application/json", acceptEncoding);
    },
    page: async () => (await page()).html(),
    pageFile: async (name, acceptEncoding) => (await page()).file(name, acceptEncoding),
  };
}

/** Loads the console with the first request for it, as `apiReference` loads its page. */
export function consolePages({ externalUrl }: Config): ConsolePages {
  const pages = once(async () => {
    const { ServedConsole } = await import("../console/served-console.ts");
    return new ServedConsole(basePathOf(externalUrl));
  });
  return {
    page: async () => (await pages()).page(),
    asset: async (name, acceptEncoding) => (await pages()).asset(name, acceptEncoding),
  };
}

/** The first call's promise answers all calls. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
