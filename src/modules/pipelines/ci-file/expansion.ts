import type { Variables } from "./expressions.ts";
import { CiFileError } from "./values.ts";

/** Signs that variables may be expanded to: one that names another thousands of times stands for gigabytes. */
export class ExpansionRoom {
  #left = 1_000_000;

  /** Throws `CiFileError` when there is no more. */
  take(length: number): void {
    this.#left -= length;
    if (this.#left < 0) throw new CiFileError("variables are too long when expanded");
  }
}

/**
 * `$NAME` and `${NAME}` with what they stand for, unknown ones with nothing; `$$` is a dollar. Throws `CiFileError` for what
 * has no room.
 */
export function expanded(text: string, variables: Variables, room = new ExpansionRoom()): string {
  room.take(text.length);
  return text.replaceAll(/\$(?:\$|(\w+)|\{(\w+)\})/g, (_, plain?: string, braced?: string) => {
    const name = plain ?? braced;
    const value = name === undefined ? "$" : (variables.get(name) ?? "");
    room.take(value.length);
    return value;
  });
}
