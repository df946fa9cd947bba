import { randomBytes } from "node:crypto";
import type { ClientConfig } from "../../../config/config.ts";
import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { nearest } from "../../../lib/text/nearest.ts";
import { addressOfHolder } from "../../../store/index.ts";
import { resolveEndpoint } from "../../endpoint.ts";
import { printJson } from "../../output/table.ts";
import { print, printMessage } from "../../output/terminal.ts";
import { RunningServer, tokenOnThisMachine } from "../../running-server.ts";
import { areas } from "../../selftest/areas/index.ts";
import { declareFormats } from "../../selftest/check.ts";
import { cleanUp } from "../../selftest/clean-up.ts";
import { formatSummary, summaryOf } from "../../selftest/report.ts";
import { type AreaResult, ScenarioRunner } from "../../selftest/runner.ts";
import { SampleRunner, sampledAreas } from "../../selftest/samples.ts";
import type { Area } from "../../selftest/scenario.ts";
import { setup } from "../../selftest/setup.ts";
import { stopSignal } from "../../stop-signal.ts";
import { wrong } from "./api-request.ts";

export interface SelftestFlags {
  readonly client: ClientConfig;
  /** May have root's token for a server on this machine. The command calls its server unless the settings name another. */
  readonly dataFolder: string;
  /** The value of `OUTPOST_ROOT_TOKEN`, used like root's token of the data folder. */
  readonly rootToken: string | undefined;
  /** The names of the areas; empty means all. */
  readonly areas: readonly string[];
  readonly isJson: boolean;
  readonly isKept: boolean;
}

/**
 * Runs the selftest. Returns 0 when all checks passed, else 1. Throws `StartError` for wrong use, when there is no answer,
 * and for a refused token.
 */
export async function selftest(flags: SelftestFlags): Promise<number> {
  const chosen = chooseAreas(flags.areas);
  const { origin, token } = await serverOf(flags);
  const endpoint = resolveEndpoint(origin, { ...flags.client, dataFolder: flags.dataFolder });
  // Fails with a clear message if there is no server, or if it refuses the token.
  await new RunningServer(origin, endpoint, token, "selftest").send({ method: "GET", path: "/user" });
  let isStopped = false;
  void stopSignal().then(() => {
    isStopped = true;
  });
  declareFormats();
  const startedAt = performance.now();
  const random = randomBytes(4).toString("hex");
  const runner = new ScenarioRunner(endpoint, token, random, () => isStopped);
  const sampleRunner = new SampleRunner(runner);
  const results: AreaResult[] = [];
  let left: readonly string[] = [];
  try {
    results.push(await runner.run(setup));
    await runner.probe();
    for (const area of chosen) {
      if (isStopped) break;
      const result = await runner.run(area);
      await sampleRunner.run(sampledAreas.get(area.name) ?? [], result);
      results.push(result);
    }
  } finally {
    left = [...(await sampleRunner.cleanUp()), ...(await cleanUp(runner, [setup, ...chosen], flags.isKept))];
  }
  const group = `outpost-selftest-${random}`;
  const ms = performance.now() - startedAt;
  const summary = summaryOf(results, { url: origin, group, left, interrupted: isStopped, ms });
  if (flags.isJson) await printJson(summary);
  else await print(formatSummary(summary));
  if (flags.isKept) printMessage(`the group ${group} and its users stay`);
  return summary.failed === 0 && left.length === 0 && !isStopped ? 0 : exitCodes.failed;
}

/** Areas with scenarios come first. */
const allAreas: readonly Area[] = [
  ...areas,
  ...[...sampledAreas.keys()]
    .filter((name) => areas.every((area) => area.name !== name))
    .map((name) => ({ name, steps: [], undos: [] })),
];

function chooseAreas(names: readonly string[]): readonly Area[] {
  const known = allAreas.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw wrong(`${unknown} is not an area; the nearest is ${nearest(unknown, known)}`, "outpost help selftest");
  return names.length === 0 ? allAreas : allAreas.filter(({ name }) => names.includes(name));
}

async function serverOf({ client, dataFolder, rootToken }: SelftestFlags) {
  const origin = client.urlFrom === "default" ? (addressOfHolder(dataFolder) ?? client.url) : client.url;
  if (origin === undefined) throw wrong("OUTPOST_PORT is 0, which is no address to call", "outpost selftest --url URL");
  const token = client.token ?? (await tokenOnThisMachine(origin, { dataFolder, rootToken }));
  if (token === undefined)
    throw new StartError(
      "no token is known for this server",
      "outpost selftest --token TOKEN, or OUTPOST_TOKEN=TOKEN",
      {
        exitCode: exitCodes.usage,
      },
    );
  return { origin, token };
}
