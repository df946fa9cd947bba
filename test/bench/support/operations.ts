import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { digits, median, printTable, verdict } from "./figures.ts";
import { drive } from "./load.ts";
import { type MeasuredProcess, startMeasured } from "./measured-process.ts";
import { rootToken, seedStore, startMeasuredOutpost } from "./outpost.ts";

const connections = 16;
const seconds = 1;
const rounds = 3;
/** Of the CPU of the bare server. */
const ratioMin = 0.12;

interface Place {
  readonly project: number;
  readonly issue: number;
  readonly group: number;
}

/** The operations that clients call most, with the sample data of the seed. */
function pathsIn({ project, issue, group }: Place): string[] {
  const own = `/projects/${project}`;
  return [
    "/version",
    "/user",
    "/users",
    "/users/2",
    "/groups",
    `/groups/${group}`,
    `/groups/${group}/projects`,
    "/projects",
    own,
    `${own}/members/all`,
    "/issues?scope=all",
    `${own}/issues`,
    `${own}/issues/${issue}`,
    `${own}/issues/${issue}/notes`,
    `${own}/issues_statistics`,
    `${own}/labels`,
    `${own}/milestones`,
    `${own}/pipelines`,
    `${own}/repository/tree`,
    `${own}/repository/files/README.md?ref=HEAD`,
  ];
}

async function get(origin: string, path: string): Promise<Response> {
  const answer = await fetch(`${origin}/api/v4${path}`, { headers: { "PRIVATE-TOKEN": rootToken } });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return answer;
}

/** The first project with issues and a repository. */
async function findPlace(origin: string): Promise<Place> {
  const issues = (await (await get(origin, "/issues?scope=all&per_page=100")).json()) as {
    readonly iid: number;
    readonly project_id: number;
  }[];
  const groups = (await (await get(origin, "/groups")).json()) as { readonly id: number }[];
  const [group] = groups;
  for (const { iid, project_id } of issues) {
    const path = `/projects/${project_id}/repository/files/README.md?ref=HEAD`;
    const file = await fetch(`${origin}/api/v4${path}`, { headers: { "PRIVATE-TOKEN": rootToken } });
    await file.arrayBuffer();
    if (file.status === 200 && group !== undefined) return { project: project_id, issue: iid, group: group.id };
  }
  throw new Error("the sample data has no project with an issue and a README.md");
}

/** CPU of all threads of a server for one request, in microseconds. */
async function cpuOf(server: MeasuredProcess, url: string): Promise<number> {
  const before = server.cpuMicros();
  const { requests } = await drive({ url, token: rootToken, connections, seconds });
  return (server.cpuMicros() - before) / requests;
}

/** Prints the CPU of each operation beside that of a bare server with the same bytes. */
export async function compareOperations(): Promise<void> {
  await using folder = await createTempFolder();
  const data = join(folder.path, "data");
  await seedStore(data, 1);
  await using server = await startMeasuredOutpost([], data);
  const rows: { readonly path: string; readonly own: number; readonly ratio: number }[] = [];
  for (const path of pathsIn(await findPlace(server.origin))) {
    const answer = await get(server.origin, path);
    const file = join(folder.path, "body");
    await writeFile(file, await answer.bytes());
    const bareScript = join(import.meta.dir, "peers/bare-server.ts");
    await using bare = await startMeasured([process.execPath, bareScript, file, "application/json"]);
    const url = `${server.origin}/api/v4${path}`;
    await Promise.all([cpuOf(server, url), cpuOf(bare, bare.origin)]);
    const ratios: number[] = [];
    const own: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      own.push(await cpuOf(server, url));
      ratios.push((await cpuOf(bare, bare.origin)) / (own.at(-1) as number));
    }
    rows.push({ path, own: median(own), ratio: median(ratios) });
  }
  printTable(
    ["operation", "CPU µs", "bare of it"],
    rows.map(({ path, own, ratio }) => [path, digits(own), digits(ratio)]),
  );
  const worst = Math.min(...rows.map(({ ratio }) => ratio));
  console.log(`  the bare server takes, of the CPU of the dearest: ${verdict(worst, "at least", ratioMin)}`);
}
