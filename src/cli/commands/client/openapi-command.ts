import type { Command } from "commander";

/** The end of `outpost help openapi`. */
const openapiExamples = `
A running server has it at /-/openapi.json, and the API reference at /-/api.

Examples:
  outpost openapi --out openapi.json
  outpost openapi | jq '.paths | keys'`;

export function addOpenapi(program: Command): void {
  program
    .command("openapi")
    .usage("[flags]")
    .optionsGroup("Flags:")
    .description("print the API's description as an OpenAPI document")
    .option("-o, --out <file>", "write to this file")
    .option("--json", "same as without it")
    .addHelpText("after", openapiExamples)
    .action(async ({ out }: { out?: string }) => {
      const { openapi } = await import("./openapi.ts");
      await openapi({ file: out });
    });
}
