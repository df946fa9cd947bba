import type { Command } from "commander";
import { resolveClient, resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

const seedExamples = `
The same --rng-seed and --until create the same data on every machine.
--rng-seed also determines the tokens: do not use it for a server that others
can reach.

Examples:
  outpost seed
  outpost seed --data /srv/outpost --scale 5
  outpost seed --rng-seed 7 --until 2026-11-01 --json | jq -r '.accounts[0].token'`;

export function addSeed(program: Command): void {
  addSettings(program.command("seed").description("fill a new store with sample data"), {
    taken: [dataFolder("data folder; created if it does not exist"), settings.repositoryStorages],
  })
    .option("--scale <number>", "1 to 1000; 1 is about two thousand documents", "1")
    .option("--rng-seed <number>", "seed of the random numbers; by default 1")
    .option("--until <date>", "the sample data ends before this day; by default today")
    .option("--json", "print accounts, tokens and calls as one JSON object")
    .addHelpText("after", seedExamples)
    .action(async (flags: GivenFlags, command: Command) => {
      const given = sourcesOf(command);
      // Ignores the server's setting of the same name.
      const sources = { ...given, flags: { ...given.flags, "rng-seed": undefined } };
      const { seed } = await import("./seed.ts");
      const { scale, rngSeed, until, json } = flags;
      const { url } = resolveClient(sources);
      await seed({ scale, rngSeed, until, json: json === true, url }, resolveConfig(sources));
    });
}

interface GivenFlags {
  readonly scale: string;
  readonly rngSeed?: string;
  readonly until?: string;
  readonly json?: true;
}
