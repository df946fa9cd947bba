import type { CodedFile } from "../console/coded-file.ts";
import type { OpenApiVersion } from "../domain/release.ts";

/**
 * The API documents with example answers, for a server without a base path. The build of the executable replaces this
 * module; undefined when run from source.
 */
export const builtDocuments: Readonly<Record<OpenApiVersion, CodedFile>> | undefined = undefined;
