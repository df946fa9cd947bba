/**
 * Commits and annotated tags as git keeps them. The library's own reader and writer take seconds for a message with ten thousand
 * empty lines.
 */

/** An author, and the time. */
export interface Person {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Minutes, negative east of Greenwich. */
  readonly timezoneOffset: number;
}

export interface CommitContent {
  /** As git has it, line breaks at its end included. */
  readonly message: string;
  readonly tree: string;
  readonly parent: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  /** The first line of the signature, which says its kind; left out for a commit that is not signed. */
  readonly gpgsig?: string;
}

export interface TagContent {
  readonly message: string;
  readonly object: string;
  readonly tag: string;
  readonly tagger: Person | undefined;
}

export function renderCommit({ tree, parent, author, committer, message }: CommitContent): string {
  const parents = parent.map((oid) => `parent ${oid}\n`).join("");
  const people = `author ${renderPerson(author)}\ncommitter ${renderPerson(committer)}\n`;
  return `tree ${tree}\n${parents}${people}\n${message}`;
}

/** The tag of a commit. */
export function renderTag({ object, tag, message }: TagContent, tagger: Person): string {
  return `object ${object}\ntype commit\ntag ${tag}\ntagger ${renderPerson(tagger)}\n\n${trimmedLines(message)}`;
}

export function parseCommit(text: string): CommitContent {
  const { headers, message } = split(text);
  const author = parsePerson(headerIn(headers, "author"));
  const gpgsig = headerIn(headers, "gpgsig");
  return {
    message,
    tree: headerIn(headers, "tree") ?? "",
    parent: headers.filter(([name]) => name === "parent").map(([, value]) => value),
    author,
    committer: parsePerson(headerIn(headers, "committer")),
    ...(gpgsig === undefined ? {} : { gpgsig: gpgsig.slice(0, nameMax) }),
  };
}

const signatureStart = "\n-----BEGIN PGP SIGNATURE-----";

export function parseTag(text: string): TagContent {
  const { headers, message } = split(text);
  const tagger = headerIn(headers, "tagger");
  const signature = message.lastIndexOf(signatureStart);
  return {
    message: trimmedLines(signature === -1 ? message : message.slice(0, signature)),
    object: headerIn(headers, "object") ?? "",
    tag: headerIn(headers, "tag") ?? "",
    tagger: tagger === undefined ? undefined : parsePerson(tagger),
  };
}

type Header = readonly [name: string, value: string];

function split(text: string): { readonly headers: readonly Header[]; readonly message: string } {
  const end = text.indexOf("\n\n");
  const head = end === -1 ? text : text.slice(0, end);
  const headers: Header[] = [];
  for (const line of head.split("\n")) {
    const space = line.indexOf(" ");
    // A line that begins with a space belongs to the header before, such as a signature.
    if (space > 0) headers.push([line.slice(0, space), line.slice(space + 1)]);
  }
  return { headers, message: end === -1 ? "" : text.slice(end + 2) };
}

function headerIn(headers: readonly Header[], wanted: string): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1];
}

function renderPerson({ name, email, timestamp, timezoneOffset }: Person): string {
  const minutes = Math.abs(timezoneOffset);
  const clock = 100 * Math.floor(minutes / 60) + (minutes % 60);
  return `${name} <${email}> ${timestamp} ${timezoneOffset > 0 ? "-" : "+"}${String(clock).padStart(4, "0")}`;
}

/** Characters of a name or an address: a list shows a hundred of them. */
const nameMax = 1_000;

/** `Ann <ann@example.com> 1700000000 +0100`, whatever is missing of it. */
function parsePerson(value = ""): Person {
  const close = value.lastIndexOf(">");
  const open = value.lastIndexOf("<", close);
  const [timestamp = "", offset = ""] = value
    .slice(close + 1)
    .trim()
    .split(" ");
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(offset) ?? [];
  const east = 60 * Number(hours ?? 0) + Number(minutes ?? 0);
  return {
    name: value.slice(0, Math.max(open, 0)).trimEnd().slice(0, nameMax),
    email: open === -1 ? "" : value.slice(open + 1, close).slice(0, nameMax),
    timestamp: Number.parseInt(timestamp, 10) || 0,
    timezoneOffset: sign === "-" || east === 0 ? east : -east,
  };
}

/** A message without carriage returns, without empty lines at its start, and with one line break at its end. */
function trimmedLines(message: string): string {
  const plain = message.replaceAll("\r", "");
  let start = 0;
  let end = plain.length;
  while (start < end && plain[start] === "\n") start += 1;
  while (end > start && plain[end - 1] === "\n") end -= 1;
  return `${plain.slice(start, end)}\n`;
}
