import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noOid } from "../../../../src/git/git.ts";
import { commitAt } from "../../../../src/git/packing/ancestry.ts";
import { ObjectStore } from "../../../../src/git/packing/object-store.ts";
import { ObjectWalk } from "../../../../src/git/packing/object-walk.ts";
import { OidTable, oidOf } from "../../../../src/git/packing/oid-table.ts";
import { packetLine } from "../../../../src/git/transport/pkt-line.ts";
import { RefList } from "../../../../src/git/work/advertisement.ts";
import { answerFetch } from "../../../../src/git/work/fetch.ts";
import { receive } from "../../../../src/git/work/receive.ts";
import { packOf, rawOid, whole } from "../../../support/git/raw-packs.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { indexBytes, wideLimits } from "./setting.ts";

const folder = await createTempFolder();
afterAll(() => folder.remove());

const repository = join(folder.path, "long.git");
const person = "Ann <ann@example.com>";
const commits: string[] = [];
const tags: string[] = [];
const length = 90;

describe("a repository of a long history and a long chain of tags", () => {
  beforeAll(async () => {
    const entries = [whole("tree", "")];
    for (let at = 0; at < length; at += 1) {
      const parent = at === 0 ? "" : `parent ${commits[at - 1]}\n`;
      const by = `${person} ${1_700_000_000 + at} +0000`;
      const tree = rawOid("tree", Buffer.alloc(0)).toString("hex");
      const content = `tree ${tree}\n${parent}author ${by}\ncommitter ${by}\n\nchange ${at}\n`;
      commits.push(rawOid("commit", Buffer.from(content)).toString("hex"));
      entries.push(whole("commit", content));
    }
    for (let at = 0; at < length; at += 1) {
      const [object, type] = at === 0 ? [commits.at(-1), "commit"] : [tags[at - 1], "tag"];
      const content = `object ${object}\ntype ${type}\ntag t${at}\ntagger ${person} 1700000000 +0000\n\nx\n`;
      tags.push(rawOid("tag", Buffer.from(content)).toString("hex"));
      entries.push(whole("tag", content));
    }
    mkdirSync(`${repository}/objects/pack`, { recursive: true });
    mkdirSync(`${repository}/refs/tags`, { recursive: true });
    const { path } = await indexBytes(folder.path, packOf(entries));
    for (const ending of ["pack", "idx"])
      renameSync(`${path}.${ending}`, `${repository}/objects/pack/pack-1.${ending}`);
    for (const [at, oid] of tags.entries()) writeFileSync(`${repository}/refs/tags/t${at}`, `${oid}\n`);
  });

  test("has each tag read once, however many lead to it", async () => {
    using store = new ObjectStore(repository);
    store.limitLookUps(4 * length);
    for (const tag of tags) expect(commitAt(store, oidOf(tag))).toEqual(oidOf(commits.at(-1) as string));
    const listed = [...(await RefList.read(store)).listed(true)];
    expect(listed.map(({ peeled }) => peeled)).toEqual(tags.map(() => commits.at(-1)));
  });

  test("has its commits counted once, however many branches name them", async () => {
    const head = commits.at(-1) as string;
    const commands = Array.from({ length: 40 }, (_, at) => ({ ref: `refs/heads/b${at}`, before: noOid, after: head }));
    const order = { folder: repository, pack: undefined, commands, limits: wideLimits, protectedRefs: [] };
    const { refusal, refs } = await receive({ ...order, defaultBranch: "b7" }, 4 * length);
    expect(refusal).toBeUndefined();
    expect(refs.map((ref) => ref?.commitCount)).toEqual(commands.map((_, at) => (at === 7 ? length : 0)));
    expect((await receive({ ...order, defaultBranch: undefined }, 4 * length)).refs[0]?.commitCount).toBe(length);
    const other = await receive({ ...order, defaultBranch: "none" }, 4 * length);
    expect(other.refs.map((ref) => ref?.commitCount)).toEqual(commands.map(() => length));
  });

  test("has some of its commits counted, where a budget ends the walk", () => {
    using store = new ObjectStore(repository);
    const none = new OidTable();
    const shared = { clientShallow: none, newShallow: none, filter: undefined };
    const countWith = (most: number) =>
      new ObjectWalk(store, { wants: [oidOf(commits.at(-1) as string)], haves: [], ...shared }).countCommits({
        commits: most,
      });
    expect([countWith(10), countWith(length)]).toEqual([10, length]);
  });

  test("is asked whether a branch is forced where a rule protects it", async () => {
    const [older, newer] = [commits[3] as string, commits.at(-1) as string];
    const commands = ["a", "b"].map((name) => ({ ref: `refs/heads/${name}`, before: newer, after: older }));
    const order = { folder: repository, pack: undefined, commands, limits: wideLimits, defaultBranch: "main" };
    const { refs } = await receive({ ...order, protectedRefs: ["refs/heads/b"] });
    expect(refs.map((ref) => ref?.isForced)).toEqual([undefined, true]);
  });

  const fetched = async (lookUps: number, ...lines: readonly string[]) => {
    const begin = [packetLine("command=fetch"), Buffer.from("0001")];
    const body = Buffer.concat([...begin, ...lines.map((line) => packetLine(line)), Buffer.from("0000")]);
    const pieces: Uint8Array[] = [];
    for await (const piece of answerFetch(repository, body, true, lookUps)) pieces.push(piece);
    return Buffer.concat(pieces).toString("latin1");
  };

  test("is fetched by a client that says everything many times", async () => {
    const said = tags.slice(-20).flatMap((tag) => Array.from({ length: 50 }, () => tag));
    const lines = [...said.map((tag) => `want ${tag}`), ...said.map((tag) => `have ${tag}`), "deepen 5"];
    expect(await fetched(8 * length, ...lines)).toContain("acknowledgments");
    expect(await fetched(8 * length, ...lines, "done")).toContain("PACK");
  });

  test("is not fetched with more work than an order may be", async () => {
    expect(await fetched(length, `want ${tags.at(-1)}`, "done")).toContain(
      "ERR the request takes too much work at once",
    );
  });

  test("takes no push with more work than an order may be", async () => {
    const command = { ref: "refs/heads/main", before: noOid, after: commits.at(-1) as string };
    const order = { folder: repository, pack: undefined, commands: [command], limits: wideLimits, protectedRefs: [] };
    const { refusal } = await receive({ ...order, defaultBranch: "main" }, length);
    expect(refusal).toContain("too much work at once");
  });
});
