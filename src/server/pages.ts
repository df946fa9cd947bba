import type { Config } from "../config/config.ts";
import type { OpenApiVersion } from "../domain/release.ts";
import { basePathOf } from "../lib/base-path.ts";
import type { ApiReference, ConsolePages } from "../modules/kernel/context.ts";
import type { OperationTable } from "../modules/kernel/operation-table.ts";

/** Loads the API document and its page at the first request for each. */
export function apiReference({ externalUrl }: Config, operations: OperationTable): ApiReference {
  const basePath = basePathOf(externalUrl);
  const documentIn = (version: OpenApiVersion) =>
    once(async () => {
      const { servedDocument } = await import("./api-document.ts");
      return servedDocument(await operations.tags(), version, basePath);
    });
  const documents = { "3.1": documentIn("3.1"), "3.0": documentIn("3.0") };
  const page = once(async () => {
    const { ApiPage } = await import("../console/api-page.ts");
    const { introduction, licenseName } = await import("../http/openapi/texts.ts");
    const chapters = (await operations.tags()).map(({ name, about = "" }) => ({ name, description: about }));
    return new ApiPage(basePath, { introduction, licenseName, chapters });
  });
  return {
    document: async (version, acceptEncoding) => {
      const { contentOf } = await import("../console/coded-file.ts");
      return contentOf(await documents[version](), "application/json", acceptEncoding);
    },
    page: async (acceptEncoding) => (await page()).html(acceptEncoding),
    pageFile: async (name, acceptEncoding) => (await page()).file(name, acceptEncoding),
  };
}

/** Loads the console at the first request for it. */
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

/** Returns a function that calls `make` once and returns the same promise for all calls. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
