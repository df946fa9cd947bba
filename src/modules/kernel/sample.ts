import { type AccessLevel, accessLevels } from "../../domain/access-level.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Method } from "./operation.ts";

/** One successful call of an operation, as far as it does not follow from the operation and from other samples. */
export interface SampleCall {
  /** Values of path parameters. `SampleMaker` finds the others. */
  readonly path?: SamplePath;
  /** The whole path, for addresses that an answer shows. */
  readonly address?: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly multipart?: FormData;
  /** A body as it is; its type goes into `headers`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type SamplePath = Readonly<Record<string, string | number>>;

export interface Sample extends SampleCall {
  /** Makes what must exist before the call. Its result replaces members of the sample. */
  readonly make?: MakeSample;
  /** The first parameter is a new user, group or project: the call would spoil the one that other samples share. */
  readonly isOnNew?: true;
  /** Samples that are called before with the same values of the path, as `POST /users/:id/ban`. */
  readonly after?: readonly SampleName[];
  /** When another sample needs what this one makes, the caller of that one makes it, or root where the caller may not. */
  readonly isMadeByCaller?: true;
  /** The status for a caller who sees the group or project, where it does not follow from the operation's `who`. */
  readonly status?: SampleStatus;
  /** The reason why the call is not made on a server that others use. */
  readonly unsuited?: string;
}

export type MakeSample = (scene: SampleScene) => SampleCall | Promise<SampleCall>;
export type SampleStatus = (caller: SampleMember, visibility: Visibility) => number | undefined;
/** Method and path of an operation: `POST /projects/:id/issues`. */
export type SampleName = `${Method} /${string}`;

/** Samples by the names of their operations. One that needs nothing but its path is left out. */
export type Samples = Readonly<Record<string, Sample | MakeSample>>;

/** The role of a caller in the group and project of the samples. */
export interface SampleMember {
  readonly level: AccessLevel;
  readonly isAdministrator: boolean;
}

export interface SampleUser {
  readonly id: number;
  readonly username: string;
}

/** A group, and a project in it, that all samples share. */
export interface SamplePlace {
  readonly visibility: Visibility;
  readonly groupId: number;
  readonly groupPath: string;
  readonly projectId: number;
  /** With that of the group. */
  readonly projectPath: string;
}

/** The users, places and calls that a sample may use. */
export interface SampleScene {
  /** The user who will make the call. */
  readonly caller: SampleUser;
  /** Any user. */
  readonly user: SampleUser;
  readonly place: SamplePlace;
  /** A name that nothing has yet. */
  readonly fresh: () => string;
  /** Makes another sample's call as root, with some members of it changed. Throws for a refusal. */
  readonly call: (name: SampleName, change?: SampleCall) => Promise<SampleAnswer>;
  /** The same by the caller, or by root where the caller may not. */
  readonly callByCaller: (name: SampleName, change?: SampleCall) => Promise<SampleAnswer>;
  /** Makes a user, or a group or project with the visibility and members of the place. Returns the id. */
  readonly add: (kind: SampleKind) => Promise<number>;
  /** The result of the first call with this name in the place. */
  readonly once: <T>(name: string, make: () => Promise<T>) => Promise<T>;
}

export type SampleKind = "users" | "groups" | "projects";

export interface SampleAnswer {
  readonly status: number;
  readonly text: string;
  /** A member of its JSON: `id`, `author.id`, `0.name`. Throws when there is none. */
  get(member: string): string | number;
  /** The path of a URL in its JSON. */
  pathAt(member: string): string;
}

/** Reporters and higher roles read the code of a private project. */
export const fromReporters: SampleStatus = ({ level }, visibility) =>
  visibility === "private" && level < accessLevels.reporter ? 403 : undefined;

/** A list that has few places, such as the ten schedules of a project. */
interface SmallList {
  readonly list: SampleName;
  readonly remove: SampleName;
  /** The parameter in the path of `remove`, and the field of an entry that has its value. */
  readonly parameter: string;
  readonly field: string;
  /** The entries that may stay: some fewer than there are places, since several samples may be made at a time. */
  readonly keep: number;
}

/** Deletes the newest entry of a list that is nearly full: samples may share older ones. */
export async function deleteNewest(
  { call }: SampleScene,
  { list, remove, parameter, field, keep }: SmallList,
): Promise<void> {
  const entries = JSON.parse((await call(list)).text) as Readonly<Record<string, string | number>>[];
  const value = entries.at(-1)?.[field];
  if (value !== undefined && entries.length > keep) await call(remove, { path: { [parameter]: value } });
}

/** A body with a picture of one pixel. */
export function avatarForm(): FormData {
  const form = new FormData();
  form.set("avatar", new File([Buffer.from(onePixel, "base64")], "face.png", { type: "image/png" }));
  return form;
}

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
