import { join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { operations } from "../../support/checks/operations.ts";
import { runClientScript } from "../../support/process/client-script.ts";

/** The requests that each method of a resource sends, as `GET /path`, by the names of the resource and the method. */
type Calls = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export interface Client {
  readonly name: string;
  readonly version: string;
  readonly calls: Calls;
}

/** The topic of the manual that `renderCoverage` writes. */
export const coverageFile = join(import.meta.dir, "../../../src/cli/manual/coverage.md");
/** Debian's own, which finds what apt installs; another `python3` may come first in PATH. */
export const python = "/usr/bin/python3";
const lineLengthMax = 79;

/** The requests of both libraries, which send none of them. */
export async function readClients(): Promise<readonly Client[]> {
  const gitbeaker = await runClientScript(["node", "--no-warnings", join(import.meta.dir, "gitbeaker-calls.mjs")], {});
  const pythonGitlab = await runClientScript(
    [python, "-W", "ignore", join(import.meta.dir, "python-gitlab-calls.py")],
    {},
  );
  return [
    { name: "gitbeaker", version: manifest.devDependencies["@gitbeaker/rest"], calls: gitbeaker as Calls },
    { name: "python-gitlab", ...(pythonGitlab as { version: string; calls: Calls }) },
  ];
}

/** By method of HTTP: what the paths of the operations match. */
const served = Map.groupBy(
  operations.filter(({ root }) => root !== true),
  ({ method }) => method,
);
const patterns = new Map(
  [...served].map(([method, list]) => [
    method as string,
    list.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+").replaceAll(/\*\w+/g, ".+")}$`)),
  ]),
);

function isServed(request: string): boolean {
  const [method = "", path = ""] = request.split(" ");
  return (patterns.get(method) ?? []).some((pattern) => pattern.test(path));
}

/** The topic as Markdown. A method without a request is no call. */
export function renderCoverage(clients: readonly Client[]): string {
  const sections = clients.map(({ name, version, calls }) => {
    const resources = Object.entries(calls).map(([resource, methods]) => {
      const sending = Object.entries(methods).filter(([, requests]) => requests.length > 0);
      const absent = sending.filter(([, requests]) => !requests.every(isServed)).map(([method]) => method);
      return { name: resource.replace(/Manager$/, ""), count: sending.length, absent };
    });
    const some = resources.filter(({ count, absent }) => count > absent.length);
    const none = resources.filter(({ count, absent }) => count > 0 && count === absent.length);
    const total = resources.reduce((sum, { count }) => sum + count, 0);
    const absent = resources.reduce((sum, each) => sum + each.absent.length, 0);
    return [
      `## ${name} ${version}: ${total - absent} of ${total} calls`,
      "",
      ...some.map(describeResource),
      "",
      wrap(`Not served: ${none.map((each) => each.name).join(", ")}.`, ""),
    ].join("\n");
  });
  return `${[introduction, ...sections].join("\n\n")}\n`;
}

const introduction = `# What is served

How many calls of two client libraries the API serves. A call counts when the
API has an operation for each request that the call sends. Not every parameter
of a call is served: \`outpost openapi\` and the page at \`/-/api\` say which.

Calls that your clients made and that the API does not have are listed by
\`outpost api GET /-/unknown-calls\`.`;

function describeResource({ name, count, absent }: { name: string; count: number; absent: readonly string[] }): string {
  if (absent.length === 0) return `- ${name}: all ${count}`;
  return wrap(`- ${name}: ${count - absent.length} of ${count}, without ${absent.join(", ")}`, "  ");
}

/** Breaks a text between words; the lines after the first begin with `indent`. */
function wrap(text: string, indent: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) as string;
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= lineLengthMax) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines.join("\n");
}
