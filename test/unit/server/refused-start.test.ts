import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../../src/config/config.ts";
import { StartError } from "../../../src/domain/start-error.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { startApp } from "../../../src/server/app.ts";
import { lockFolder } from "../../../src/store/index.ts";
import { configFor } from "../../support/fixtures/config.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

/** Settings with which a start is refused, by what refuses it. */
const refused: Readonly<Record<string, (folder: string, port: number) => Promise<Partial<Config>>>> = {
  "a taken port": async (_, port) => ({ port }),
  "a folder with other files": async (folder) => {
    await writeFile(join(folder, "generations"), "not a store");
    return {};
  },
  "a missing file of features": async (folder) => ({ featureDefinitions: join(folder, "..", "none.json") }),
};

for (const [cause, settingsFor] of Object.entries(refused)) {
  test(`a start that is refused for ${cause} gives the lock back`, async () => {
    await using folder = await createTempFolder();
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("taken") });
    const settings = await settingsFor(folder.path, other.port as number);
    const start = startApp(configFor(folder.path, settings), silentLog);
    expect(await start.catch((error: unknown) => error)).toBeInstanceOf(StartError);
    lockFolder(folder.path).release();
  });
}
