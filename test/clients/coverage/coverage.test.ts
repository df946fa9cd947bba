import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { installTool } from "../../support/process/system-tool.ts";
import { type Client, coverageFile, python, readClients, renderCoverage } from "./coverage.ts";

const missing = await installTool([python, "-c", "import gitlab"], "python3-gitlab");
const clients = missing === undefined ? await readClients() : [];
const written = await Bun.file(coverageFile).text();
/** Another system has another version of python-gitlab, with other calls. */
const isSameVersion = ({ name, version }: Client) => written.includes(`## ${name} ${version}: `);

describe("outpost help coverage", () => {
  test("counts a call as served when the API has each request of it", () => {
    const calls = {
      IssueManager: { all: ["GET /issues"], move: ["GET /issues", "POST /no/such"], parse: [] },
      Wikis: { all: ["GET /projects/x/wikis"] },
    };
    const client: Client = { name: "some-client", version: "1.0", calls };
    expect(renderCoverage([client])).toEndWith(
      "## some-client 1.0: 1 of 3 calls\n\n- Issue: 1 of 2, without move\n\nNot served: Wikis.\n",
    );
  });

  test.skipIf(clients.length === 0 || !clients.every(isSameVersion))(
    "is what the operations serve (`bun run coverage` writes it)",
    () => {
      expect(renderCoverage(clients)).toBe(written);
    },
  );

  test("has the numbers of the README", async () => {
    const readme = await Bun.file(join(import.meta.dir, "../../../README.md")).text();
    for (const [, name, served, all] of written.matchAll(/^## (\S+) \S+: (\d+) of (\d+) calls$/gm)) {
      expect(readme).toContain(`${served} of the ${all} calls of ${name}`);
    }
  });
});
