import type { Command } from "commander";

const openapiExamples = `
A running server has it at /-/openapi.json and /-/openapi.json?version=3.0,
and the API reference at /-/api.

Examples:
  outpost openapi --out openapi.json
  outpost openapi --3.0 --out openapi-3.0.json
  outpost openapi | jq '.paths | keys'`;

export function addOpenapi(program: Command): void {
  program
    .command("openapi")
    .usage("[flags]")
    .optionsGroup("Flags:")
    .description("print the API's description as an OpenAPI document")
    .option("-o, --out <file>", "write to this file")
    .option("--3.0", "OpenAPI 3.0.3, for tools that do not know 3.1")
    .option("--json", "same as without it")
    .addHelpText("after", openapiExamples)
    .action(async ({ out, "3.0": isOlder }: { out?: string; "3.0"?: true }) => {
      const { openapi } = await import("./openapi.ts");
      await openapi({ file: out, version: isOlder === true ? "3.0" : "3.1" });
    });
}
