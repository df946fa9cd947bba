import type { Command } from "commander";
import { settings } from "../../../config/settings.ts";
import type { CommandResult } from "../../command.ts";
import { addSettings } from "../../command-settings.ts";
import { liveOrStopped, storeFlagsOf, storeSettings } from "../../store-command.ts";

const examples = `
Prints the operation, its access rule, whether this user may call it, and which
memberships give the user a role in the group or project. It makes no call. The
user "nobody" is an anonymous caller. Through a server, --edition changes
nothing: the server has its own.
${liveOrStopped}

Exit code 0: allowed. 4: refused.

Examples:
  outpost explain root DELETE /users/7
  outpost explain root GET /projects/1/issues --json
  outpost explain ada GET /version`;

export function addExplain(program: Command, outcome: CommandResult): void {
  const command = program.command("explain").description("say whether a user may make a call, and why");
  addSettings(command, { taken: [...storeSettings.taken, settings.edition] })
    .usage("<name or id> <method> <path> [flags]")
    .argument("<name or id>", "username, id, or nobody")
    .argument("<method>", "GET, HEAD, POST, PUT, PATCH or DELETE")
    .argument("<path>", "path below /api/v4, as for outpost api")
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (user: string, method: string, path: string, flags: { json?: true }, command: Command) => {
      const { explain } = await import("./explain.ts");
      outcome.exitCode = await explain({ ...storeFlagsOf(flags, command), user, method, path });
    });
}
