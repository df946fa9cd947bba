import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as git from "isomorphic-git";
import { Draft } from "../../../src/git/draft.ts";
import {
  type CommitContent,
  type Person,
  parseCommit,
  parseTag,
  renderCommit,
  renderTag,
} from "../../../src/git/objects/commits.ts";

const oid = fc.stringMatching(/^[0-9a-f]{40}$/);
const word = fc.stringMatching(/^[A-Za-zäß.]{1,8}( [a-z]{1,4})?$/);
const person: fc.Arbitrary<Person> = fc.record({
  name: word,
  email: fc.stringMatching(/^[a-z]{1,5}@[a-z]{1,5}\.example$/),
  timestamp: fc.nat(2_000_000_000),
  timezoneOffset: fc.constantFrom(0, -60, 330, -345, 720),
});
const message = fc
  .array(fc.constantFrom("\n", "\r", "\r\n", "text", " ", "ä", "tree x", "\n\n"), { maxLength: 12 })
  .map((parts) => parts.join(""));
const commit: fc.Arbitrary<CommitContent> = fc.record({
  message,
  tree: oid,
  parent: fc.array(oid, { maxLength: 3 }),
  author: person,
  committer: person,
});

describe("a commit", () => {
  test("is written as the library writes it, and read as it reads it", async () => {
    await fc.assert(
      fc.asyncProperty(commit, async (content) => {
        // The library has one form for messages. Ours are as they are.
        const plain = `${content.message.replaceAll("\r", "").replace(/^\n+|\n+$/g, "")}\n`;
        const text = renderCommit({ ...content, message: plain });
        const there = { fs: new Draft(), gitdir: "/repository" };
        const by = await git.writeCommit({ ...there, commit: { ...content, parent: [...content.parent] } });
        const here = await git.writeObject({ ...there, type: "commit", object: Buffer.from(text), format: "content" });
        expect(here).toBe(by);
        expect(parseCommit(renderCommit(content))).toEqual(content);
      }),
      { numRuns: 50 },
    );
  });

  test("with a million empty lines is written and read at once", () => {
    const nobody = { name: "n", email: "e", timestamp: 0, timezoneOffset: 0 };
    const text = `a${"\n".repeat(1_000_000)}b`;
    const written = renderCommit({ message: text, tree: "t", parent: [], author: nobody, committer: nobody });
    expect(parseCommit(written).message).toBe(text);
  });

  test("is read with the kind of its signature alone, and whatever is missing of a name", () => {
    const text = [
      `tree ${"1".repeat(40)}`,
      "author <only@people.example> 12 +0130",
      "committer Ann > < Lee <ann@people.example> 13 -0200",
      "gpgsig -----BEGIN PGP SIGNATURE-----",
      " tree no",
      " -----END PGP SIGNATURE-----",
      "encoding UTF-8",
      "",
      "message",
    ].join("\n");
    expect(parseCommit(text)).toEqual({
      message: "message",
      tree: "1".repeat(40),
      parent: [],
      author: { name: "", email: "only@people.example", timestamp: 12, timezoneOffset: -90 },
      committer: { name: "Ann > < Lee", email: "ann@people.example", timestamp: 13, timezoneOffset: 120 },
      gpgsig: "-----BEGIN PGP SIGNATURE-----",
    });
    expect(parseCommit("").author).toEqual({ name: "", email: "", timestamp: 0, timezoneOffset: 0 });
  });
});

test("an annotated tag is read as it was written, and without its signature", () => {
  const tagger = { name: "Ann", email: "ann@people.example", timestamp: 5, timezoneOffset: 0 };
  const content = { object: "2".repeat(40), tag: "v1", message: "one\n\ntwo\n", tagger };
  const text = renderTag(content, tagger);
  expect(parseTag(text)).toEqual(content);
  const signed = `${text}-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----\n`;
  expect(parseTag(signed)).toEqual(content);
});
