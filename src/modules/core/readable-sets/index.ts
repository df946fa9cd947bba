export type { ProjectReaders, ProjectThing, ReadableKind, RestrictedOnes } from "./kind.ts";
export { isUnrestricted, ReadableSets } from "./readable-sets.ts";
