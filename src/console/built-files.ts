import type { ConsoleFile, PageFile } from "./build/bundle.ts";

/** The files of the console in the executable, whose build puts them in the place of this module; undefined: run from source. */
export const builtFiles: readonly ConsoleFile[] | undefined = undefined;

/** The same as `builtFiles`, for the API page. */
export const builtPageFiles: readonly PageFile[] | undefined = undefined;
