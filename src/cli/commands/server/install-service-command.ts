import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { explainConfig } from "../../../config/effective-settings.ts";
import { type Setting, variableOf } from "../../../config/setting.ts";
import { settings, settingsOfServer } from "../../../config/settings.ts";
import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { addSettings, sourcesOf } from "../../command-settings.ts";

const examples = `
For Linux with systemd. The service runs as a user of its own and can write
only to its folder. Write secrets to /etc/outpost.env, one OUTPOST_… line each.

Examples:
  outpost install-service
  outpost install-service --port 80 --host 0.0.0.0 --edition premium
  outpost install-service --user outpost --data /srv/outpost
  sudo outpost install-service --write`;

/** `data` defaults to the service's own folder. */
const taken = settingsOfServer.map((setting) =>
  setting === settings.data
    ? { ...setting, help: "folder of the store; needs --user", default: "/var/lib/NAME" }
    : setting,
);

export function addInstallService(program: Command): void {
  const command = program.command("install-service").description("print a hardened systemd unit, or install it");
  addSettings(command, { taken: taken.filter((setting) => setting.secret !== true) })
    .option("--name <text>", "name of the service", "outpost")
    .option("--user <name>", "user that runs the service; by default one that systemd creates")
    .option("--executable <file>", "executable to run; by default this one")
    .option("--write [file]", "write the unit, by default to /etc/systemd/system")
    .option("--json", "print the unit and the written file as one JSON object")
    .addHelpText("after", examples)
    .action(async (flags: GivenFlags, command: Command) => {
      const sources = sourcesOf(command);
      const { dataFolder, repositoryStorages, backupFolder, socket } = resolveConfig(sources);
      const { installService, unitFileOf } = await import("./install-service.ts");
      const given = explainConfig(sources).filter(({ setting, from }) => isKept(setting) && from === "flag");
      await installService({
        name: flags.name,
        user: flags.user,
        data: flags.data === undefined ? undefined : dataFolder,
        folders: [
          ...repositoryStorages.flatMap(({ folder }) => (folder === undefined ? [] : [folder])),
          ...(flags.backupFolder === undefined ? [] : [backupFolder]),
        ],
        socket,
        executable: flags.executable ?? ownPath(),
        settings: Object.fromEntries(given.map(({ setting, value }) => [variableOf(setting), String(value)])),
        json: flags.json === true,
        writeTo: flags.write === undefined ? undefined : unitFileOf(flags.name, flags.write),
      });
    });
}

interface GivenFlags {
  readonly name: string;
  readonly user?: string;
  readonly data?: string;
  readonly backupFolder?: string;
  readonly executable?: string;
  readonly json?: true;
  readonly write?: string | true;
}

/**
 * True when the setting goes into the unit. The data folder has its own flag, and secrets go into a file that only root
 * reads.
 */
function isKept(setting: Setting<unknown>): boolean {
  return setting !== settings.data && setting.secret !== true && settingsOfServer.includes(setting);
}

/** Returns the path of the executable; throws when run from the sources, which have none. */
function ownPath(): string {
  if (Bun.main.startsWith("/$bunfs/")) return process.execPath;
  throw new StartError(
    "this is not a built executable",
    "outpost install-service --executable /usr/local/bin/outpost",
    {
      exitCode: exitCodes.usage,
    },
  );
}
