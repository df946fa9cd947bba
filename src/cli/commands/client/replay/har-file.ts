import { readFileSync, statSync } from "node:fs";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { exitCodes, StartError } from "../../../../domain/start-error.ts";

const fileBytesMax = 512 << 20;

const Header = Type.Object({ name: Type.String(), value: Type.String() });
const Body = { text: Type.Optional(Type.String()), encoding: Type.Optional(Type.String()) };
/** `_cut` is Outpost's own field: true when the recorded text is only the start of the body. */
const cut = { _cut: Type.Optional(Type.Boolean()) };

const Entry = Type.Object({
  request: Type.Object({
    method: Type.String({ pattern: "^[A-Z]+$" }),
    url: Type.String({ pattern: "^https?://" }),
    headers: Type.Array(Header),
    postData: Type.Optional(Type.Object({ ...Body, ...cut })),
  }),
  response: Type.Object({
    status: Type.Integer(),
    headers: Type.Array(Header),
    content: Type.Object({ ...Body, ...cut, mimeType: Type.Optional(Type.String()) }),
  }),
  _route: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
/** A recorded call. */
export type RecordedCall = Static<typeof Entry>;

const Har = Type.Object({ log: Type.Object({ entries: Type.Array(Entry) }) });

/**
 * Returns the calls of an HTTP Archive in its order. An incomplete recording is read up to its last complete entry. Throws
 * `StartError` for a file that is no archive.
 */
export function readHar(path: string): readonly RecordedCall[] {
  const refuse = (reason: string) =>
    new StartError(`${path} ${reason}`, "outpost help recordings", { exitCode: exitCodes.usage });
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw refuse("does not exist");
  if (size > fileBytesMax) throw refuse(`has ${size} bytes; a recording may have ${fileBytesMax}`);
  const text = readFileSync(path, "utf8");
  const archive = parse(text) ?? parse(`${text.slice(0, text.lastIndexOf(",\n"))}]}}`);
  if (archive === undefined) throw refuse("is no HTTP Archive: it is not JSON");
  if (!Value.Check(Har, archive)) {
    const [first] = Value.Errors(Har, archive);
    throw refuse(`is no HTTP Archive: ${first?.path} ${first?.message}`);
  }
  return archive.log.entries;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
