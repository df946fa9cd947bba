import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runGit, tryGit } from "../support/git/stock-git.ts";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, digits, median, verdict } from "./support/figures.ts";
import { addressOf, cloneTimed, measureBeside, runTimed } from "./support/git-clients.ts";
import { createProject, type MeasuredOutpost, rootToken, startMeasuredOutpost } from "./support/outpost.ts";

const memoryMbMax = 268;
const otherMsMax = 100;
const clones = 50;
const refs = 100_000;
const refsOfPush = 10_000;
const listSecondsMax = 1;
const pageMsMax = 50;
const pushShareMax = 3;
/** Each step of the scale has as much; 20 steps are what the server promises. */
const fileBytesOfStep = 25 << 20;
const commitsOfStep = 50_000;

const author = "Ann <ann@example.com> 1700000000 +0000";
const head = (message: string) => `author ${author}\ncommitter ${author}\ndata ${message.length}\n${message}\n`;

async function fastImport(path: string, parts: Iterable<string | Uint8Array>): Promise<void> {
  runGit(".", ["init", "-q", "--bare", "-b", "main", path]);
  const child = Bun.spawn(["git", "-C", path, "fast-import", "--quiet"], { stdin: "pipe", stderr: "inherit" });
  for (const part of parts) {
    child.stdin.write(part);
    await child.stdin.flush();
  }
  await child.stdin.end();
  if ((await child.exited) !== 0) throw new Error("git fast-import failed");
}

function* oneFile(bytes: number): Generator<string | Uint8Array> {
  yield `commit refs/heads/main\n${head("large")}M 100644 inline large.bin\ndata ${bytes}\n`;
  const piece = new Uint8Array(65_536);
  for (let at = 0; at < bytes; at += piece.length) yield crypto.getRandomValues(piece);
  yield "\n";
}

function* manyCommits(count: number): Generator<string> {
  for (let at = 0; at < count; at += 1) {
    yield `commit refs/heads/main\n${head(`change ${at}`)}M 100644 inline file\ndata ${String(at).length}\n${at}\n`;
  }
}

async function pushNew(outpost: MeasuredOutpost, path: string, name: string, ...refspecs: readonly string[]) {
  await createProject(outpost.origin, name);
  await runTimed(["-C", path, "push", "-q", addressOf(outpost, name), ...(refspecs.length > 0 ? refspecs : ["main"])]);
}

async function largeFile(outpost: MeasuredOutpost, folder: string, scale: number): Promise<void> {
  const path = join(folder, "large.git");
  const bytes = fileBytesOfStep * scale;
  await fastImport(path, oneFile(bytes));
  const pushed = await measureBeside(outpost, () => pushNew(outpost, path, "large"));
  const cloned = await measureBeside(outpost, () => cloneTimed(addressOf(outpost, "large"), join(folder, "clone")));
  for (const [name, { moreMb, p99 }] of Object.entries({ push: pushed, clone: cloned })) {
    console.log(`  a file of ${bytes >> 20} MiB, ${name}: memory ${verdict(moreMb, "at most", memoryMbMax, " MB")}`);
    console.log(`    p99 of others: ${verdict(p99, "at most", otherMsMax, " ms")}`);
  }
}

async function clonesAtOnce(outpost: MeasuredOutpost, folder: string): Promise<void> {
  const path = join(folder, "many.git");
  await fastImport(path, manyCommits(2_000));
  await pushNew(outpost, path, "many");
  const startedMs = performance.now();
  const measured = await measureBeside(outpost, () =>
    Promise.all(
      Array.from({ length: clones }, (_, at) => cloneTimed(addressOf(outpost, "many"), join(folder, `c${at}`))),
    ),
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(`  ${clones} clones at once of 6,000 objects: all succeed, in ${digits(seconds)} s`);
  console.log(`    p99 of others: ${verdict(measured.p99, "at most", otherMsMax, " ms")}`);
}

async function manyRefs(outpost: MeasuredOutpost, folder: string): Promise<void> {
  const path = join(folder, "refs.git");
  await fastImport(path, manyCommits(1));
  await pushNew(outpost, path, "tags-only");
  for (let from = 0; from < refs; from += refsOfPush) {
    const names = Array.from({ length: refsOfPush }, (_, at) => `refs/tags/t${from + at}`);
    const oid = runGit(path, ["rev-parse", "main"]).trim();
    runGit(path, ["update-ref", "--stdin"], names.map((name) => `create ${name} ${oid}\n`).join(""));
    await runTimed([
      "-C",
      path,
      "push",
      "-q",
      addressOf(outpost, "tags-only"),
      `refs/tags/t${String(from).slice(0, -4)}*:refs/tags/t${String(from).slice(0, -4)}*`,
    ]);
  }
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1)
    times.push(await runTimed(["ls-remote", "-q", addressOf(outpost, "tags-only")]));
  console.log(`  ${refs} refs listed: ${verdict(median(times), "at most", listSecondsMax, " s")}`);
}

async function firstPage(outpost: MeasuredOutpost, folder: string, scale: number): Promise<void> {
  const path = join(folder, "history.git");
  const commits = commitsOfStep * scale;
  await fastImport(path, manyCommits(commits));
  await pushNew(outpost, path, "history");
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const startedMs = performance.now();
    const answer = await fetch(`${outpost.origin}/api/v4/projects/root%2Fhistory/repository/commits`, {
      headers: { "PRIVATE-TOKEN": rootToken },
    });
    if (((await answer.json()) as unknown[]).length !== 20) throw new Error("the page is not full");
    times.push(performance.now() - startedMs);
  }
  console.log(`  first page of ${commits} commits: ${verdict(median(times), "at most", pageMsMax, " ms")}`);
}

/** The request with which git pushes a commit on `main`. */
function pushBody(path: string, before: string, after: string): Uint8Array<ArrayBuffer> {
  const line = `${before} ${after} refs/heads/main\0 report-status side-band-64k`;
  const command = `${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`;
  const pack = tryGit(path, ["pack-objects", "--revs", "--stdout", "-q"], `${after}\n^${before}\n`).stdout;
  return Uint8Array.from(Buffer.concat([Buffer.from(command), pack]));
}

async function onePush(outpost: MeasuredOutpost, folder: string): Promise<void> {
  const path = join(folder, "one");
  mkdirSync(path);
  runGit(path, ["init", "-q", "-b", "main"]);
  const commit = () => {
    runGit(path, ["commit", "-q", "--allow-empty", "-m", "change"]);
    return runGit(path, ["rev-parse", "HEAD"]).trim();
  };
  let before = commit();
  await pushNew(outpost, path, "one");
  const timed = async (url: string, contentType: string, body: string | Uint8Array<ArrayBuffer>) => {
    const startedMs = performance.now();
    const headers = { "PRIVATE-TOKEN": rootToken, "Content-Type": contentType };
    const answer = await fetch(`${outpost.origin}${url}`, { method: "POST", headers, body });
    const said = await answer.text();
    if (!answer.ok || said.includes("ng refs")) throw new Error(said);
    return performance.now() - startedMs;
  };
  const [pushes, posts]: [number[], number[]] = [[], []];
  for (let round = 0; round < 60; round += 1) {
    const after = commit();
    const body = pushBody(path, before, after);
    pushes.push(await timed("/root/one.git/git-receive-pack", "application/x-git-receive-pack-request", body));
    posts.push(await timed("/api/v4/projects/root%2Fone/issues", "application/json", JSON.stringify({ title: "One" })));
    before = after;
  }
  const [push, post] = [median(pushes), median(posts)];
  console.log(`  a push of a commit takes ${digits(push)} ms, a new issue ${digits(post)} ms`);
  console.log(`    the push, of the time of the issue: ${verdict(push / post, "at most", pushShareMax)}`);
}

async function run({ scale }: { readonly scale: number }): Promise<void> {
  await using folder = await createTempFolder();
  await using outpost = await startMeasuredOutpost([], join(folder.path, "data"));
  await onePush(outpost, folder.path);
  await clonesAtOnce(outpost, folder.path);
  await manyRefs(outpost, folder.path);
  await largeFile(outpost, folder.path, scale);
  await firstPage(outpost, folder.path, scale);
}

export const bench: Bench = {
  title: "large files, many refs, clones and commits; --scale 20 has what is promised",
  run,
};
