import type { Caller, CallerUser } from "../../../domain/caller.ts";
import type { SubjectRef } from "../../../domain/subject.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { registry } from "../../kernel/registry.ts";
import { serviceKey } from "../../kernel/service.ts";
import type { Noteable, NoteTarget } from "./noteable.ts";

/** Modules add the types of their things to it. */
export const noteables = registry<Noteable>("noteables");

/** The noteables of all modules. */
class NoteablesByType {
  readonly #context: Context;
  readonly #byType: ReadonlyMap<string, Noteable>;

  constructor(context: Context) {
    this.#context = context;
    this.#byType = new Map(context.entries(noteables).map((noteable) => [noteable.type, noteable]));
  }

  /** undefined: its notes, if there are any, have no operations. */
  of(type: string): Noteable | undefined {
    return this.#byType.get(type);
  }

  /** The thing, without a check of rights; undefined once it or its project is deleted. */
  findTarget({ type, id }: SubjectRef): NoteTarget | undefined {
    const { store } = this.#context;
    const noteable = this.of(type);
    const thing = noteable?.find(store, id);
    const project = thing && noteable?.findProject(store, thing);
    return noteable && thing && project && { noteable, project, thing };
  }

  /** False for a thing that is deleted. */
  canRead(user: CallerUser | undefined, { type, id }: SubjectRef): boolean {
    const noteable = this.of(type);
    const thing = noteable?.find(this.#context.store, id);
    return noteable !== undefined && thing !== undefined && noteable.canRead(this.#context, user, thing);
  }
}

export const Noteables = serviceKey("noteables", (context) => new NoteablesByType(context));

/** For summaries: `an issue`. */
export function nounOf({ word }: Noteable): string {
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}

/** The thing that the path names. Throws the noteable's 404 where there is none or the caller may not read it. */
export function getNoteTarget(noteable: Noteable, call: NoteableCall): NoteTarget {
  const target = findNoteTarget(noteable, call);
  if (target === undefined) throw noteable.notFound();
  return target;
}

/** As `getNoteTarget`, without an error. */
export function findNoteTarget(
  noteable: Noteable,
  { context, caller, project, params }: NoteableCall,
): NoteTarget | undefined {
  const number = (params as Readonly<Record<string, number>>)[noteable.parameter] as number;
  const thing = noteable.findReadable(context, caller, project, number);
  return thing && { noteable, project, thing };
}

/** A call of an operation on a noteable. The parameters have the number that the noteable's path asks for. */
export interface NoteableCall {
  readonly context: Context;
  readonly caller: Caller;
  readonly project: ProjectRecord;
  readonly params: object;
}
