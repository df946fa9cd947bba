/** The URLs of a `Link` header by their relation, in their order. */
export function linksOf(headers: Headers): Map<string, string> {
  const links = new Map<string, string>();
  for (const part of (headers.get("link") ?? "").split(", ")) {
    const match = /^<([^>]+)>; rel="([a-z]+)"$/.exec(part);
    if (match === null) {
      if (part !== "") throw new Error(`no link: ${part}`);
      continue;
    }
    links.set(match[2] as string, match[1] as string);
  }
  return links;
}
