import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packetLine } from "../../../../src/git/index.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { packOf, rawOid, treeOf, whole } from "../../../support/git/raw-packs.ts";
import { type RawAnswer, sendRaw } from "../../../support/process/raw-http.ts";
import { folderOf, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";

const world = await startWorld();
let project: Json;
const noOid = "0".repeat(40);
const someOid = "1".repeat(40);
const flush = Buffer.from("0000");
const person = "Ann <ann@example.com> 1700000000 +0000";

beforeAll(async () => {
  project = await makeProject(world, { path: "hostile" });
});
interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly isVersion2?: boolean;
}

function post(service: "upload" | "receive", body: Uint8Array | string, { headers = {}, isVersion2 }: Sent = {}) {
  return sendRaw(world.origin, {
    method: "POST",
    target: `/${project.path_with_namespace}.git/git-${service}-pack`,
    headers: {
      "Content-Type": `application/x-git-${service}-pack-request`,
      "PRIVATE-TOKEN": rootToken,
      ...(isVersion2 ? { "Git-Protocol": "version=2" } : {}),
      ...headers,
    },
    body,
  });
}

/** A refusal: by status as one plain sentence, or as git's protocol says it. */
function expectRefusal(answer: RawAnswer, status = 400): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toStartWith("text/plain");
  expect(answer.body).not.toContain("{");
}

const command = (ref: string, after = someOid, before = noOid) => `${before} ${after} ${ref}`;
const capable = (line: string, more = "") => packetLine(`${line}\0 report-status ${more}`);
const lines = (...each: readonly (string | Buffer)[]) =>
  Buffer.concat([...each.map((line) => (typeof line === "string" ? packetLine(line) : line)), flush]);

const broken: readonly (readonly [string, Buffer])[] = [
  ["no length", Buffer.from("zzzz")],
  ["the length 3", Buffer.from("0003")],
  ["a length of more than 65520", Buffer.concat([Buffer.from("fff1"), Buffer.alloc(65_517, "x")])],
  ["half a length", Buffer.from("00")],
  ["a line that is cut off", Buffer.from("0040want")],
  ["a text of another protocol", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ["separators alone", Buffer.from("00010002")],
];

describe("a request of git's protocol with", () => {
  test.each([...broken])("%s is 400, whichever service it asks for", async (_, body) => {
    expectRefusal(await post("receive", body));
    expectRefusal(await post("upload", body));
    expectRefusal(await post("upload", body, { isVersion2: true }));
  });

  test("another media type is 415", async () => {
    for (const service of ["upload", "receive"] as const) {
      const headers = { "Content-Type": "application/json" };
      expect((await post(service, "0000", { headers })).status).toBe(415);
    }
  });

  test("compressed bytes that are none, or unpack to too many bytes, is 400 and 413", async () => {
    const headers = { "Content-Encoding": "gzip" };
    const bomb = gzipSync(Buffer.alloc((64 << 20) + 1));
    for (const service of ["upload", "receive"] as const) {
      expect((await post(service, "no gzip", { headers })).status).toBe(400);
      expect((await post(service, bomb, { headers })).status).toBe(413);
    }
  });
});

describe("a push with", () => {
  const refused: readonly (readonly [string, Buffer])[] = [
    ["a command without a ref", lines(capable(`${noOid} ${someOid}`))],
    ["a command without ids", lines(capable("refs/heads/main"))],
    ["ids in capitals", lines(capable(command("refs/heads/main", "A".repeat(40))))],
    ["commands without their end", packetLine(command("refs/heads/main"))],
    ["a separator among the commands", Buffer.concat([packetLine(command("refs/heads/main")), Buffer.from("0001")])],
    ["10,001 commands", lines(...Array.from({ length: 10_001 }, (_, at) => command(`refs/heads/b${at}`)))],
    ["10,001 shallow lines", lines(...Array.from({ length: 10_001 }, () => `shallow ${someOid}`))],
    [
      "101 push options",
      Buffer.concat([
        lines(capable(command("refs/heads/main"), "push-options")),
        lines(...Array.from({ length: 101 }, () => "ci.skip")),
      ]),
    ],
    [
      "a push option of 2,000 letters",
      Buffer.concat([lines(capable(command("refs/heads/main"), "push-options")), lines("x".repeat(2_000))]),
    ],
    ["push options without their end", lines(capable(command("refs/heads/main"), "push-options"))],
  ];
  test.each([...refused])("%s is 400", async (_, body) => {
    expectRefusal(await post("receive", body));
  });

  test("no command is answered with nothing", async () => {
    for (const body of ["0000", ""]) expect(await post("receive", body)).toMatchObject({ status: 200, body: "" });
  });

  test("refs that are none says so for each, and changes nothing", async () => {
    const blob = packOf([whole("blob", "text")]);
    const oid = rawOid("blob", Buffer.from("text")).toString("hex");
    const names = [
      "HEAD",
      "main",
      "refs/heads",
      "refs/heads/",
      "refs/heads/../../x",
      "refs/heads/a..b",
      "refs/heads/a.lock",
      "refs/heads/a b",
      "refs/heads/\u0001",
      "refs/keep-around/a",
      "refs/merge-requests/1/head",
      "refs/heads/to-a-file",
    ];
    const [first = "", ...rest] = names.map((name) => command(name, oid));
    const answer = await post("receive", Buffer.concat([lines(capable(first), ...rest), blob]));
    expect(answer.status).toBe(200);
    expect(answer.body).toContain("unpack ok");
    expect(answer.body.match(/[0-9a-f]{4}ng /g)).toHaveLength(names.length);
    expect((await world.get(`/projects/${project.id}/repository/branches`)).body).toEqual([]);
  });

  const text = Buffer.from("text\n");
  const tree = treeOf([["100644", "a", rawOid("blob", text)]]);
  const commitOf = (treeOid: Buffer) =>
    `tree ${treeOid.toString("hex")}\nauthor ${person}\ncommitter ${person}\n\nwhy\n`;
  const head = (ref: string, content: string) =>
    lines(capable(command(ref, rawOid("commit", Buffer.from(content)).toString("hex"))));

  test("a pack that is refused gives the reason, and every ref", async () => {
    const dotGit = treeOf([["100644", ".git", rawOid("blob", text)]]);
    const content = commitOf(rawOid("tree", dotGit));
    const pack = packOf([whole("blob", text), whole("tree", dotGit), whole("commit", content)]);
    const answer = await post("receive", Buffer.concat([head("refs/heads/bad", content), pack]));
    expect(answer.body).toContain("unpack fsck error in packed object: hasDotgit");
    expect(answer.body).toContain("ng refs/heads/bad unpacker error");
    const cut = await post("receive", Buffer.concat([head("refs/heads/bad", content), pack.subarray(0, 60)]));
    expect(cut.body).toContain("ng refs/heads/bad unpacker error");
    expect((await post("receive", head("refs/heads/bad", content))).body).toContain("unpack protocol error");
  });

  test("a pack that misses an object leaves none of it behind, so that no later push can name it", async () => {
    const content = commitOf(rawOid("tree", tree));
    const whole2 = [whole("blob", text), whole("tree", tree)];
    const orphan = commitOf(Buffer.alloc(20, 7));
    const answer = await post(
      "receive",
      Buffer.concat([
        head("refs/heads/fine", content),
        packOf([...whole2, whole("commit", content), whole("commit", orphan)]),
      ]),
    );
    expect(answer.body).toContain("ng refs/heads/fine missing necessary objects");
    const later = await post("receive", Buffer.concat([head("refs/heads/orphan", orphan), packOf([])]));
    expect(later.body).toContain("ng refs/heads/orphan missing necessary objects");
  });

  test("a history that ends in a commit that the server lacks is told so", async () => {
    const content = commitOf(rawOid("tree", tree)).replace("author", `parent ${someOid}\nauthor`);
    const oid = rawOid("commit", Buffer.from(content)).toString("hex");
    const body = Buffer.concat([
      lines(`shallow ${oid}`, capable(command("refs/heads/cut", oid))),
      packOf([whole("blob", text), whole("tree", tree), whole("commit", content)]),
    ]);
    expect((await post("receive", body)).body).toContain("ng refs/heads/cut shallow update not allowed");
  });

  test("an option-like submodule that came earlier under another name is refused", async () => {
    const modules = Buffer.from('[submodule "a"]\n\tpath = a\n\turl = -u./payload\n');
    const plain = treeOf([["100644", "a", rawOid("blob", modules)]]);
    const first = commitOf(rawOid("tree", plain));
    const pack = packOf([whole("blob", modules), whole("tree", plain), whole("commit", first)]);
    const taken = await post("receive", Buffer.concat([head("refs/heads/plain", first), pack]));
    expect(taken.body).toContain("ok refs/heads/plain");
    const special = treeOf([["100644", ".gitmodules", rawOid("blob", modules)]]);
    const second = commitOf(rawOid("tree", special));
    const later = packOf([whole("tree", special), whole("commit", second)]);
    const answer = await post("receive", Buffer.concat([head("refs/heads/special", second), later]));
    expect(answer.body).toContain("unpack fsck error in packed object: gitmodulesUrl");
  });

  test("10,000 refs is carried out while others are answered", async () => {
    const content = commitOf(rawOid("tree", tree));
    const oid = rawOid("commit", Buffer.from(content)).toString("hex");
    const [first = "", ...rest] = Array.from({ length: 10_000 }, (_, at) => command(`refs/tmp-refs/deep/${at}`, oid));
    const body = Buffer.concat([
      lines(capable(first, "atomic"), ...rest.slice(0, -1), command("refs/heads/x y", oid)),
      packOf([whole("blob", text), whole("tree", tree), whole("commit", content)]),
    ]);
    let isDone = false;
    const work = post("receive", body).finally(() => {
      isDone = true;
    });
    let slowestMs = 0;
    while (!isDone) {
      const begun = performance.now();
      expect((await world.get("/version")).status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - begun);
    }
    expect((await work).body.match(/atomic push failure/g)).toHaveLength(9_999);
    expect(slowestMs).toBeLessThan(2_000);
  }, 60_000);
});

describe("a fetch with", () => {
  const want = (oid: string) => `want ${oid} multi_ack_detailed side-band-64k`;
  const refusals: readonly (readonly [string, Buffer])[] = [
    ["a want that is no id", lines("want main")],
    ["an unknown line", lines(want(someOid), "wish")],
    ["a have that is no id", Buffer.concat([lines(want(someOid)), lines("have HEAD")])],
    ["a shallow line that is no id", lines(want(someOid), "shallow main")],
    ["200,001 wants", lines(...Array.from({ length: 200_001 }, () => `want ${someOid}`))],
  ];
  test.each([...refusals])("%s is 400", async (_, body) => {
    expectRefusal(await post("upload", body));
  });

  const errors: readonly (readonly [string, Buffer, string])[] = [
    ["an unknown object", lines(want(someOid)), `ERR upload-pack: not our ref ${someOid}`],
    ["a depth of zero", lines(want(someOid), "deepen 0"), "ERR Invalid deepen"],
    ["a negative depth", lines(want(someOid), "deepen -3"), "ERR Invalid deepen"],
    ["a depth that is no number", lines(want(someOid), "deepen all"), "ERR Invalid deepen"],
    ["a depth and a time", lines(want(someOid), "deepen 1", "deepen-since 5"), "cannot be used together"],
  ];
  test.each([...errors])("%s is an error of git's protocol", async (_, body, text) => {
    const answer = await post("upload", body);
    expect(answer.status).toBe(200);
    expect(answer.body.slice(4)).toContain(text);
  });

  const commands: readonly (readonly [string, Buffer, number, string])[] = [
    ["an unknown command", lines("command=gc"), 200, "ERR unknown command 'gc'"],
    ["no command", lines("agent=git/2"), 400, "no command"],
    ["two separators", Buffer.concat([packetLine("command=fetch"), Buffer.from("00010001")]), 400, "separator"],
    [
      "an unknown filter",
      Buffer.concat([
        packetLine("command=fetch"),
        Buffer.from("0001"),
        lines(`want ${rawOid("blob", Buffer.from("text\n")).toString("hex")}`, "filter sparse:path=a"),
      ]),
      200,
      "ERR invalid filter-spec 'sparse:path=a'",
    ],
  ];
  test.each([...commands])("version 2 and %s is refused", async (_, body, status, text) => {
    const answer = await post("upload", body, { isVersion2: true });
    expect(answer).toMatchObject({ status });
    expect(answer.body).toContain(text);
  });

  test("many prefixes of refs is answered soon", async () => {
    const prefixes = Array.from({ length: 65_000 }, (_, at) => `ref-prefix refs/heads/p${at}/`);
    const body = Buffer.concat([
      packetLine("command=ls-refs"),
      Buffer.from("0001"),
      lines(...prefixes, "ref-prefix refs/heads/pl"),
    ]);
    const answer = await post("upload", body, { isVersion2: true });
    expect(answer.body).toContain("refs/heads/plain");
    expect(answer.body.match(/refs\//g)).toHaveLength(1);
  });
});

test("after all that, nothing is left in quarantine", () => {
  const incoming = join(folderOf(world, project.id), "../../../../@incoming");
  expect(existsSync(incoming) ? readdirSync(incoming) : []).toEqual([]);
});

describe("a ref whose name leads elsewhere on the disk", () => {
  const elsewhere = [
    "refs/./heads/main",
    "refs/../config",
    "refs/../objects/pack/x.pack",
    "refs//heads/main",
    "refs/main",
  ];
  test.each(elsewhere)("%s is refused, and nothing changes", async (ref) => {
    const { id, path_with_namespace } = await makeProject(world, { initialize_with_readme: true });
    const head = async () => (await world.get(`/projects/${id}/repository/branches/main`)).body.commit.id as string;
    const before = await head();
    const { body } = await sendRaw(world.origin, {
      method: "POST",
      target: `/${path_with_namespace}.git/git-receive-pack`,
      headers: { "Content-Type": "application/x-git-receive-pack-request", "PRIVATE-TOKEN": rootToken },
      body: Buffer.concat([lines(capable(command(ref, before))), packOf([])]),
    });
    expect(body).toContain(`ng ${ref} funny refname`);
    expect(await head()).toBe(before);
    expect(await Bun.file(join(folderOf(world, id), "config")).text()).toStartWith("[core]");
  });
});

test("commands, lines and requests have bounds before they are kept", async () => {
  const long = `${"0".repeat(40)} ${"1".repeat(40)} refs/heads/${"x".repeat(60_000)}`;
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
  expect((await post("receive", `${line(long)}0000`)).status).toBe(400);
  expect((await post("receive", `${line(`shallow ${"x".repeat(60_000)}`)}0000`)).status).toBe(400);
  expect((await post("upload", "0004".repeat(1_000))).status).toBe(400);
});
