import type { Variables } from "./expressions.ts";

/** `$NAME` and `${NAME}` with what they stand for, unknown ones with nothing; `$$` is a dollar. */
export function expanded(text: string, variables: Variables): string {
  return text.replaceAll(/\$(?:\$|(\w+)|\{(\w+)\})/g, (_, plain?: string, braced?: string) => {
    const name = plain ?? braced;
    return name === undefined ? "$" : (variables.get(name) ?? "");
  });
}
