import { afterAll, describe, expect, test } from "bun:test";
import {
  copy,
  delta,
  idDelta,
  insert,
  offsetDelta,
  packOf,
  rawOid,
  sealed,
  treeOf,
  whole,
} from "../../../support/git/raw-packs.ts";
import { runGit, tryGit } from "../../../support/git/stock-git.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { indexBytes } from "./setting.ts";

const folder = await createTempFolder();
const missing = await installTool(["git", "--version"], "git");
afterAll(() => folder.remove());

const text = Buffer.from("a text of some length, which deltas copy\n");
const textOid = rawOid("blob", text);
const file = whole("blob", text);
const gone = Buffer.alloc(20, 0x11);
const empty = Buffer.alloc(20);
const tree = treeOf([["100644", "a.txt", textOid]]);
const treeOid = rawOid("tree", tree);
const person = "Ann <ann@example.com> 1700000000 +0000";
const commit = (lines: readonly string[], message = "\nwhy\n") => [...lines, message].join("\n");
const treeLine = `tree ${treeOid.toString("hex")}`;
const sound = commit([treeLine, `author ${person}`, `committer ${person}`]);
const tagOf = (lines: readonly string[]) => `${lines.join("\n")}\n\nmessage\n`;
const objectLines = [`object ${textOid.toString("hex")}`, "type blob", "tag v1"];

const withTree = (...entries: Parameters<typeof treeOf>[0]) => packOf([file, whole("tree", treeOf(entries))]);
const withCommit = (content: string | Buffer) => packOf([file, whole("tree", tree), whole("commit", content)]);
const withTag = (content: string) => packOf([file, whole("tag", content)]);
const withModules = (content: string, name = ".gitmodules") =>
  packOf([whole("blob", content), whole("tree", treeOf([["100644", name, rawOid("blob", Buffer.from(content))]]))]);
const named = (name: string | Buffer) => withTree(["100644", name, textOid]);
const modules = (...lines: readonly string[]) =>
  withModules(`[submodule "a"]\n${lines.map((line) => `\t${line}\n`).join("")}`);

type Case = readonly [name: string, pack: Buffer, refusal: RegExp | undefined];

const unresolved = /unresolved deltas|bad object header or delta base/;
const fsck = /^fsck error in packed object: /;
const bomb = whole("blob", Buffer.alloc(1 << 20), 1_000);
const largeBomb = whole("blob", Buffer.alloc(8 << 20), (8 << 20) - 1);

/** Git refuses these, too. */
const frames: readonly Case[] = [
  ["an empty file", Buffer.alloc(0), /signature|EOF/],
  ["another signature", packOf([file], { magic: "KCAP" }), /signature/],
  ["version 1", packOf([file], { version: 1 }), /version 1 unsupported/],
  ["version 4", packOf([file], { version: 4 }), /version 4 unsupported/],
  ["more objects than there are", packOf([file], { count: 2 }), /EOF|header|compressed/],
  ["fewer objects than there are", packOf([file, file], { count: 1 }), /garbage/],
  ["four billion objects", packOf([file], { count: 0xffff_ffff }), /objects, more than|EOF/],
  ["another hash", Buffer.concat([packOf([file]).subarray(0, -1), Buffer.from([0])]), /SHA1 mismatch/],
  ["bytes behind the end", Buffer.concat([packOf([file]), Buffer.from("more")]), /garbage/],
  ["an entry larger than it says", packOf([bomb]), /another size/],
  ["a large entry one byte larger than it says", packOf([largeBomb]), /another size/],
  ["an entry smaller than it says", packOf([whole("blob", text, text.length + 1)]), /another size/],
  ["a large entry smaller than it says", packOf([whole("blob", text, 2 << 20)]), /another size/],
  [
    "compressed bytes that are none",
    packOf([Buffer.concat([file.subarray(0, 2), Buffer.alloc(40, 0xff)])]),
    /compressed/,
  ],
  ["an object of type 0", packOf([Buffer.concat([Buffer.from([0x05]), file.subarray(1)])]), /header/],
  ["an object of type 5", packOf([Buffer.concat([Buffer.from([0x55]), file.subarray(1)])]), /header/],
  ["a size of twenty digits", packOf([Buffer.concat([Buffer.alloc(20, 0xff), file])]), /header|size/],
];

const all = copy(0, text.length);
const same = delta(text.length, text.length, all);
const circle = [idDelta(rawOid("blob", Buffer.from("one")), same), idDelta(rawOid("blob", Buffer.from("two")), same)];

const deltas: readonly Case[] = [
  ["of a base before the start", packOf([file, offsetDelta(4_000, same)]), unresolved],
  ["of itself", packOf([file, offsetDelta(Buffer.from([0]), same)]), unresolved],
  ["of a base in the header", packOf([file, offsetDelta(file.length + 4, same)]), unresolved],
  ["of a base between entries", packOf([file, offsetDelta(file.length - 1, same)]), unresolved],
  ["of an offset that wraps around", packOf([file, offsetDelta(Buffer.alloc(9, 0xff), same)]), unresolved],
  ["of an offset without an end", packOf([file, offsetDelta(Buffer.alloc(30, 0xff), same)]), unresolved],
  ["of a base that is nowhere", packOf([file, idDelta(gone, same)]), unresolved],
  ["in a circle", packOf(circle), unresolved],
  ["of another base size", packOf([file, idDelta(textOid, delta(text.length + 1, 4, copy(0, 4)))]), /delta/],
  ["of another result size", packOf([file, idDelta(textOid, delta(text.length, 5, copy(0, 4)))]), /delta/],
  ["that makes more than it says", packOf([file, idDelta(textOid, delta(text.length, 3, copy(0, 4)))]), /delta/],
  [
    "that copies behind the end",
    packOf([file, idDelta(textOid, delta(text.length, 9, copy(text.length - 4, 9)))]),
    /delta/,
  ],
  [
    "that copies four gigabytes away",
    packOf([file, idDelta(textOid, delta(text.length, 4, copy(0xffff_ffff, 4)))]),
    /delta/,
  ],
  ["with the reserved instruction", packOf([file, idDelta(textOid, delta(text.length, 4, Buffer.from([0])))]), /delta/],
  [
    "that ends in an insertion",
    packOf([file, idDelta(textOid, delta(text.length, 9, Buffer.from([9, 1, 2])))]),
    /delta/,
  ],
  ["that ends in a copy", packOf([file, idDelta(textOid, delta(text.length, 9, Buffer.from([0xff, 1])))]), /delta/],
  ["without anything in it", packOf([file, idDelta(textOid, Buffer.alloc(0))]), /delta/],
  ["with a size without an end", packOf([file, idDelta(textOid, Buffer.alloc(30, 0xff))]), /delta/],
  ["that is larger than it says", packOf([file, idDelta(textOid, same, same.length - 1)]), /another size/],
];

const trees: readonly Case[] = [
  ["not sorted", withTree(["100644", "b", textOid], ["100644", "a", textOid]), fsck],
  [
    "sorted as if folders had no slash",
    packOf([
      file,
      whole("tree", tree),
      whole(
        "tree",
        treeOf([
          ["40000", "a", treeOid],
          ["100644", "a.txt", textOid],
        ]),
      ),
    ]),
    fsck,
  ],
  ["with a name twice", withTree(["100644", "a", textOid], ["100644", "a", textOid]), fsck],
  [
    "with a file and a folder of one name",
    packOf([
      file,
      whole("tree", tree),
      whole(
        "tree",
        treeOf([
          ["100644", "a", textOid],
          ["100644", "a.b", textOid],
          ["40000", "a", treeOid],
        ]),
      ),
    ]),
    fsck,
  ],
  ["with an empty name", named(""), fsck],
  ["with the name .", named("."), fsck],
  ["with the name ..", named(".."), fsck],
  ["with a slash", named("a/b"), fsck],
  ["with the id of zeros", withTree(["100644", "a", empty]), fsck],
  ["without an id", packOf([whole("tree", "100644 a\0short")]), fsck],
  ["without a name", packOf([whole("tree", "100644")]), fsck],
  ["without a mode", packOf([whole("tree", Buffer.concat([Buffer.from(" a\0"), textOid]))]), fsck],
  ["with letters in a mode", withTree(["100x44", "a", textOid]), fsck],
  ["with letters behind a mode", withTree(["100644x", "a", textOid]), fsck],
  ...[
    ".git",
    ".GIT",
    ".giT",
    ".git ",
    ".git. .",
    ".git::$INDEX_ALLOCATION",
    "git~1",
    "GIT~1",
    "git~1 ",
    ".g\u200cit",
    ".git\u200d",
    "\ufeff.git",
    ".git\\a",
    "a\\.git",
    "a\\git~1",
  ].map((name): Case => [`with the name ${JSON.stringify(name)}`, named(name), fsck]),
];

const commits: readonly Case[] = [
  ["without a tree", withCommit(commit([`author ${person}`, `committer ${person}`])), fsck],
  ["with half a tree", withCommit(commit(["tree 0123", `author ${person}`, `committer ${person}`])), fsck],
  ["with a bad parent", withCommit(commit([treeLine, "parent 0123", `author ${person}`, `committer ${person}`])), fsck],
  ["without an author", withCommit(commit([treeLine, `committer ${person}`])), fsck],
  [
    "with two authors",
    withCommit(commit([treeLine, `author ${person}`, `author ${person}`, `committer ${person}`])),
    fsck,
  ],
  ["without a committer", withCommit(commit([treeLine, `author ${person}`])), fsck],
  ["without an address", withCommit(commit([treeLine, "author Ann 1700000000 +0000", `committer ${person}`])), fsck],
  ["without a name", withCommit(commit([treeLine, "author <a@b> 1700000000 +0000", `committer ${person}`])), fsck],
  [
    "with a bracket in a name",
    withCommit(commit([treeLine, "author A>n <a@b> 1700000000 +0000", `committer ${person}`])),
    fsck,
  ],
  [
    "with a bracket in an address",
    withCommit(commit([treeLine, "author Ann <a<b> 1700000000 +0000", `committer ${person}`])),
    fsck,
  ],
  [
    "with a date that is none",
    withCommit(commit([treeLine, "author Ann <a@b> now +0000", `committer ${person}`])),
    fsck,
  ],
  [
    "with a date that begins with zero",
    withCommit(commit([treeLine, "author Ann <a@b> 01700000000 +0000", `committer ${person}`])),
    fsck,
  ],
  [
    "with a date of thirty digits",
    withCommit(commit([treeLine, `author Ann <a@b> ${"9".repeat(30)} +0000`, `committer ${person}`])),
    fsck,
  ],
  ["with NUL in a header", withCommit(commit([treeLine, `author A\0${person}`, `committer ${person}`])), fsck],
  [
    "with NUL in the message",
    withCommit(commit([treeLine, `author ${person}`, `committer ${person}`], "\nwh\0y\n")),
    fsck,
  ],
  ["without an end of the headers", withCommit(`${treeLine}\nauthor ${person}\ncommitter ${person}`), fsck],
  ["of nothing", withCommit(""), fsck],
];

const tags: readonly Case[] = [
  ["without an object", withTag(tagOf(objectLines.slice(1))), fsck],
  ["with a bad object", withTag(tagOf(["object 0123", ...objectLines.slice(1)])), fsck],
  ["without a type", withTag(tagOf([objectLines[0] as string, "tag v1"])), fsck],
  ["of no type", withTag(tagOf([objectLines[0] as string, "type branch", "tag v1"])), fsck],
  ["without a name", withTag(tagOf(objectLines.slice(0, 2))), fsck],
  ["with a bad tagger", withTag(tagOf([...objectLines, "tagger Ann"])), fsck],
  ["with NUL in a header", withTag(tagOf([...objectLines, `tagger A\0${person}`])), fsck],
];

const files: readonly Case[] = [
  ["a url like an option", modules("path = a", "url = -u./payload"), fsck],
  ["a url like an option in quotes", modules("path = a", 'url = "-u./payload"'), fsck],
  ["a url like an option behind empty quotes", modules("path = a", 'url = ""-u./payload'), fsck],
  ["a url like an option on the next line", modules("path = a", "url = \\\n-u./payload"), fsck],
  [
    "a url like an option beside its section",
    withModules('[submodule "a"] path = a\n[submodule "a"] url = -u./payload\n'),
    fsck,
  ],
  ["a url like an option in a section with a dot", withModules("[submodule.a]\nurl = -u./payload\n"), fsck],
  ["a url with a line break", modules("path = a", 'url = "https://example.com/%0ahost=evil"'), fsck],
  ["a path like an option", modules("path = -a", "url = https://example.com/a.git"), fsck],
  ["a command as its update", modules("path = a", "url = https://example.com/a.git", "update = !touch /tmp/x"), fsck],
  [
    "a name that leads elsewhere",
    withModules('[submodule "../../a"]\n\tpath = a\n\turl = https://example.com/a.git\n'),
    fsck,
  ],
  ["another spelling of its name", withModules('[submodule "a"]\n\turl = -u./payload\n', ".GitModules"), fsck],
  ["the short name that Windows gives it", withModules('[submodule "a"]\n\turl = -u./payload\n', "gitmod~1"), fsck],
  [
    "a name with a character that macOS ignores",
    withModules('[submodule "a"]\n\turl = -u./payload\n', ".git\u200cmodules"),
    fsck,
  ],
  ["a link", packOf([file, whole("tree", treeOf([["120000", ".gitmodules", textOid]]))]), fsck],
];

/** As the real platform's git is told: its own defaults refuse what is tolerated here, too. */
const tolerated = ["badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode"].map((id) => `${id}=ignore`).join(",");

/** Whether git takes a pack. */
function isTakenByGit(pack: Buffer): boolean {
  const repository = `${folder.path}/judge-${Bun.randomUUIDv7()}.git`;
  runGit(folder.path, ["init", "-q", "--bare", repository]);
  return tryGit(repository, ["index-pack", `--strict=${tolerated}`, "--stdin", "--fix-thin"], pack).exitCode === 0;
}

async function expectRefusal(pack: Buffer, refusal: RegExp | undefined): Promise<void> {
  const outcome = await indexBytes(folder.path, pack);
  if (refusal === undefined) expect(outcome.refusal).toBeUndefined();
  else expect(outcome.refusal).toMatch(refusal);
}

async function expectRefusalAsGit(pack: Buffer, refusal: RegExp | undefined): Promise<void> {
  await expectRefusal(pack, refusal);
  expect(isTakenByGit(pack)).toBeFalse();
}

describe.skipIf(missing !== undefined)("as git does, the server refuses", () => {
  test.each([...frames])("a pack with %s", async (_, pack, refusal) => {
    await expectRefusalAsGit(pack, refusal);
  });
  test.each([...deltas])("a delta %s", async (_, pack, refusal) => {
    await expectRefusalAsGit(pack, refusal);
  });
  test.each([...trees])("a tree %s", async (_, pack, refusal) => {
    await expectRefusalAsGit(pack, refusal);
  });
  test.each([...commits])("a commit %s", async (_, pack, refusal) => {
    await expectRefusalAsGit(pack, refusal);
  });
  test.each([...tags])("a tag %s", async (_, pack, refusal) => {
    await expectRefusalAsGit(pack, refusal);
  });
  test.each([...files])("a .gitmodules with %s", async (_, pack, refusal) => {
    await expectRefusalAsGit(pack, refusal);
  });
});

const taken: readonly (readonly [string, Buffer])[] = [
  ["nothing in it", packOf([])],
  ["version 3", packOf([file], { version: 3 })],
  ["a delta before its base", packOf([idDelta(textOid, delta(text.length, 4, copy(0, 4))), file])],
  ["a delta that inserts", packOf([file, offsetDelta(file.length, delta(text.length, 130, insert("x".repeat(130))))])],
  ["an empty tree", packOf([whole("tree", "")])],
  ["a submodule", withTree(["160000", "sub", gone])],
  ["a zero in front of a mode", withTree(["0100644", "a", textOid])],
  ["a mode that old programs wrote", withTree(["100664", "a", textOid])],
  ["a name that is no UTF-8", named(Buffer.from([0x66, 0xfc, 0x72]))],
  ["a name with a line break", named("a\nb")],
  ["a name with a backslash", named("a\\b")],
  [
    "names like those of git",
    withTree(["100644", ".gitignore", textOid], ["100644", "a.git", textOid], ["100644", "git", textOid]),
  ],
  ["the short names of other files", withTree(["100644", "git~10", textOid], ["100644", "git~2", textOid])],
  ["a sound commit", withCommit(sound)],
  ["a bad time zone", withCommit(commit([treeLine, "author Ann <a@b> 1700000000 +51800", `committer ${person}`]))],
  ["no space before a date", withCommit(commit([treeLine, "author Ann <a@b>1700000000 +0000", `committer ${person}`]))],
  ["a commit without a message", withCommit(commit([treeLine, `author ${person}`, `committer ${person}`], ""))],
  ["a tag without a tagger", withTag(tagOf(objectLines))],
  ["a plain .gitmodules", modules("path = a", "url = https://example.com/a.git # -u")],
  ["a relative url", modules("path = a", "url = ../a.git")],
  ["a comment in .gitmodules", modules("# url = -u", "path = a", "; path = -a", "url = https://example.com/a.git")],
  ["another section in .gitmodules", withModules("[other]\nurl = -u\n")],
];

describe.skipIf(missing !== undefined)("as git does, the server takes a pack with", () => {
  test.each([...taken])("%s", async (_, pack) => {
    await expectRefusal(pack, undefined);
    expect(isTakenByGit(pack)).toBeTrue();
  });
});

test("a pack that is cut off anywhere is refused", async () => {
  const pack = packOf([
    file,
    whole("tree", tree),
    whole("commit", sound),
    whole("blob", Buffer.alloc(3 << 20, "large ")),
  ]);
  let cuts = 0;
  for (let at = 0; at < pack.length; at += 97) {
    const cut = pack.subarray(0, at);
    expect((await indexBytes(folder.path, cut)).refusal).toBeString();
    // The hash alone does not save it.
    expect((await indexBytes(folder.path, sealed(cut))).refusal).toBeString();
    cuts += 1;
  }
  expect(cuts).toBeGreaterThan(30);
});

test("one object twice is taken once", async () => {
  const outcome = await indexBytes(folder.path, packOf([file, whole("tree", tree), file]));
  expect(outcome.refusal).toBeUndefined();
});

test("objects above the limits are refused from their headers", async () => {
  const large = whole("blob", "small", 1 << 30);
  const limits = { objectsMax: 2, objectBytesMax: 1_000 };
  expect(await indexBytes(folder.path, packOf([file, file, file]), { limits })).toMatchObject({
    refusal: expect.stringContaining("3 objects"),
  });
  expect(await indexBytes(folder.path, packOf([large]), { limits })).toMatchObject({
    refusal: expect.stringContaining("exceeds maximum"),
  });
  const grown = idDelta(textOid, delta(text.length, 1_001, ...Array.from({ length: 26 }, () => all)));
  expect(await indexBytes(folder.path, packOf([file, grown]), { limits })).toMatchObject({
    refusal: expect.stringContaining("exceeds maximum"),
  });
});
