import type { CodedFile } from "../console/coded-file.ts";
import type { OpenApiVersion } from "../domain/release.ts";

/**
 * The documents with examples from the demo, of a server at the root of its host. The build of the executable makes them and
 * puts them in the place of this module; undefined: run from source.
 */
export const builtDocuments: Readonly<Record<OpenApiVersion, CodedFile>> | undefined = undefined;
