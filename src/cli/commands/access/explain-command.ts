import type { Command } from "commander";
import { settings } from "../../../config/settings.ts";
import type { Outcome } from "../../command.ts";
import { addSettings } from "../../command-settings.ts";
import { askedOf, configOf, storeFolder } from "../../offline-command.ts";

const examples = `
Says which operation a call is, who may make it, and whether this user may, with
where their role in the group or project comes from. Nothing is called. The user
"nobody" has not signed in. No server may hold the folder.

Exit code 0: let in. 4: refused.

Examples:
  outpost explain root DELETE /users/7
  outpost explain root GET /projects/1/issues --json
  outpost explain ada GET /version`;

export function addExplain(program: Command, outcome: Outcome): void {
  const verb = program.command("explain").description("say whether somebody may make a call, and why");
  addSettings(verb, { taken: [...storeFolder.taken, settings.edition] })
    .usage("<name or id> <method> <path> [flags]")
    .argument("<name or id>", "username, the digits of an id, or nobody")
    .argument("<method>", "GET, HEAD, POST, PUT, PATCH or DELETE")
    .argument("<path>", "below /api/v4; names with slashes encoded, as in a call")
    .option("--json", "print it as one JSON object")
    .addHelpText("after", examples)
    .action(async (user: string, method: string, path: string, flags: { json?: true }, command: Command) => {
      const { explain } = await import("./explain.ts");
      outcome.exitCode = await explain({ ...askedOf(flags, command), user, method, path }, configOf(command));
    });
}
