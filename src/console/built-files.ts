import type { ConsoleFile, PageFile } from "./build/bundle.ts";

/** The files of the console. The build of the executable replaces this module; undefined when run from source. */
export const builtFiles: readonly ConsoleFile[] | undefined = undefined;

/** The files of the API page, which the build replaces too. */
export const builtPageFiles: readonly PageFile[] | undefined = undefined;
