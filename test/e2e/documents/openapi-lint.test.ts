import { expect, test } from "bun:test";
import { join } from "node:path";
import { operations } from "../../support/checks/operations.ts";
import { runOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const linter = join(import.meta.dir, "../../../node_modules/@redocly/cli/bin/cli.js");

/** It neither reports its use nor looks for a newer version. */
const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

interface Problem {
  readonly ruleId: string;
  readonly message: string;
}

/** Paths that the platform has, of which a request could mean both. */
const ambiguousPaths = /`\/api\/v4\/(projects\/user\/\{user_id\}|groups\/\{id\}\/members\/all\/\{user_id\})`/;

/** Operations that answer by a redirect, and never by content. */
const redirects = operations.filter(({ answer }) => answer.kind === "redirect").length;

/** OpenAPI 3.0 knows licences by addresses alone, and the document names no host. */
const expected = { "3.1": [], "3.0": ["info-license-strict"] } as const;

for (const version of ["3.1", "3.0"] as const) {
  test(`redocly finds nothing in the document of OpenAPI ${version} but what the platform has`, async () => {
    await using folder = await createTempFolder();
    const file = join(folder.path, "openapi.json");
    await runOutpost(["openapi", ...(version === "3.0" ? ["--3.0"] : []), "--out", file]);
    const command = [process.execPath, "--bun", linter, "lint", file, "--format=json", "--max-problems=10000"];
    const child = Bun.spawn(command, { cwd: folder.path, env, stdout: "pipe", stderr: "pipe" });
    const { problems, totals } = JSON.parse(await child.stdout.text());
    expect(totals.errors).toBe(0);
    const others = problems.filter(
      ({ ruleId, message }: Problem) => ruleId !== "no-ambiguous-paths" || !ambiguousPaths.test(message),
    );
    const found = others.map(({ ruleId }: Problem) => ruleId);
    const withoutContent = found.filter((ruleId: string) => ruleId === "operation-2xx-response");
    expect(withoutContent).toHaveLength(redirects);
    expect(found.filter((ruleId: string) => !withoutContent.includes(ruleId))).toEqual(expected[version]);
  }, 60_000);
}
