import type { Command } from "commander";
import { resolveClient, resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

/** The end of `outpost help seed`. */
const seedExamples = `
One number and one day make the same organisation on every machine. Tokens are
drawn anew unless the number is given: then whoever knows it knows them, too.

Examples:
  outpost seed
  outpost seed --data /srv/outpost --scale 5
  outpost seed --rng-seed 7 --until 2026-11-01 --json | jq -r '.accounts[0].token'`;

export function addSeed(program: Command): void {
  addSettings(program.command("seed").description("fill a new store with a believable organisation"), {
    taken: [dataFolder("folder of the store, made where there is none"), settings.repositoryStorages],
  })
    .option("--scale <number>", "1 to 1000; 1 is about two thousand documents", "1")
    .option("--rng-seed <number>", "another number is another organisation; 1 by default")
    .option("--until <date>", "the day before which everything has happened; today by default")
    .option("--json", "print accounts, tokens and calls as one JSON object")
    .addHelpText("after", seedExamples)
    .action(async (flags: GivenFlags, command: Command) => {
      const sources = sourcesOf(command);
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
