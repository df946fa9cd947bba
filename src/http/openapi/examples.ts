/** Success bodies by the name of their schema: `Project`, `ProjectList`, or the id of the one operation that answers it. */
export type ApiExamples = Readonly<Record<string, unknown>>;

/**
 * Reads the examples, which the build of the executable takes from the demo and puts in the place of this module; undefined:
 * run from source, where there are none.
 */
export const readExamples: (() => Promise<ApiExamples>) | undefined = undefined;
