/** The match of a name with the name of a rule, where `*` stands for any text, with slashes too. */

export function matchesWildcard(wildcard: string, name: string): boolean {
  const [start = "", ...others] = wildcard.split("*");
  const end = others.pop();
  if (end === undefined) return wildcard === name;
  if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false;
  const middle = name.slice(start.length, name.length - end.length);
  // The earliest match of each part leaves the most room for the next, so that no choice has to be tried again.
  let at = 0;
  for (const part of others) {
    const found = middle.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return true;
}
