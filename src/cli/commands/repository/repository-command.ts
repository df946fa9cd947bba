import type { Command } from "commander";
import { addFamily } from "../../command.ts";
import { addSettings } from "../../command-settings.ts";
import { liveOrStopped, storeFlagsOf, storeSettings } from "../../store-command.ts";

const examples = `
Examples:
  outpost repository import skylark/firmware/anemometer ./anemometer
  outpost repository import --help`;

const importExamples = `
Imports branches and tags with their whole history. The repository of the
project must be empty. The command checks the hash of each object, and that no
object is missing. The source is a folder with a git repository, or a file of
git bundle create --all. The command runs on the machine of the data folder.
${liveOrStopped}

Examples:
  outpost repository import skylark/firmware/anemometer ./anemometer
  outpost repository import 2 ./anemometer.bundle --json`;

export function addRepository(program: Command): void {
  const repository = addFamily(program, {
    name: "repository",
    usage: "import",
    description: "bring git histories into projects",
    examples,
  });
  addSettings(repository.command("import").description("import a git repository into an empty project"), storeSettings)
    .usage("<project> <folder or bundle> [flags]")
    .argument("<project>", "path or id of the project")
    .argument("<folder or bundle>", "git repository, or file of git bundle create")
    .option("--json", "print one JSON object")
    .addHelpText("after", importExamples)
    .action(async (project: string, source: string, flags: { json?: true }, command: Command) => {
      const { importInto } = await import("./repository-import.ts");
      await importInto({ ...storeFlagsOf(flags, command), project, source });
    });
}
