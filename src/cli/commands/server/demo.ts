import type { Config } from "../../../config/config.ts";
import { findUserByUsername } from "../../../modules/core/users/index.ts";
import { demoUsers, type SeedReport } from "../../../seed/index.ts";
import type { App } from "../../../server/app.ts";
import { apiPageLines, signInLinks } from "../../console-link.ts";
import { curlTo } from "../../endpoint.ts";
import { isTty, stderr } from "../../output/terminal.ts";
import { credentialsFileOf, readRootToken } from "../../root-credentials.ts";
import { commandOf, seedFresh } from "../data/seed.ts";
import { fateOf, fromHere, sandboxLines, serve, trustLines } from "./serve.ts";

/** Does what `serve` does, with the organisation of `outpost seed` in a new store. */
export async function demo(config: Config): Promise<void> {
  const report = await seedFresh(config);
  await serve(config, (app) => (report === undefined ? presentAgain(app, config) : presentNew(app, config, report)));
}

async function presentNew(app: App, config: Config, report: SeedReport): Promise<string> {
  const { bringDemoToLife } = await import("./demo-life.ts");
  await bringDemoToLife(app.context);
  const way = curlTo(app, fromHere);
  const width = Math.max(...report.accounts.map(({ username }) => username.length)) + 2;
  return [
    "  People (tokens are shown only once):",
    ...report.accounts.map(({ username, token, role }) => `    ${username.padEnd(width)}${token}  ${role}`),
    `    ${"root".padEnd(width)}${fromHere(credentialsFileOf(config.dataFolder))}`,
    ...(await signInLines(app, config)),
    ...apiPageLines(app, config),
    ...trustLines(app),
    ...sandboxLines(app, config),
    "  Try:",
    ...report.calls.flatMap((call) => [`    # ${call.about}`, `    ${commandOf(call, report, way)}`]),
    `  Stop with Ctrl-C; ${fateOf(config)}.`,
  ].join("\n");
}

async function presentAgain(app: App, config: Config): Promise<string> {
  const file = fromHere(credentialsFileOf(config.dataFolder));
  const rootToken = (await readRootToken(config.dataFolder)) ?? config.rootToken;
  const people = demoUsers.filter(({ username }) => findUserByUsername(app.context.store, username) !== undefined);
  const { curl, base } = curlTo(app, fromHere);
  const shown = isTty(stderr) ? rootToken : "<token from that file>";
  return [
    "  People (their tokens were shown on the first start):",
    ...people.map(({ username, role }) => `    ${username.padEnd(18)}${role}`),
    `    ${"root".padEnd(18)}${rootToken === undefined ? `its token is no longer in ${file}` : file}`,
    ...(await signInLines(app, config)),
    ...apiPageLines(app, config),
    ...trustLines(app),
    ...sandboxLines(app, config),
    ...(rootToken === undefined ? [] : ["  Try:", `    ${curl} -H "PRIVATE-TOKEN: ${shown}" ${base}/api/v4/users`]),
    `  Stop with Ctrl-C; ${fateOf(config)}.`,
  ].join("\n");
}

/** Returns a sign-in address for each user, to show the demo in several roles. The command prints their tokens as well. */
async function signInLines(app: App, config: Config): Promise<string[]> {
  const links = await signInLinks(app, config, [...demoUsers.map(({ username }) => username), "root"]);
  if (links.length === 0) return [];
  const width = Math.max(...links.map(({ username }) => username.length)) + 2;
  return [
    `  Sign in as (each link once, for 15 minutes; later: outpost console-link NAME --data ${fromHere(config.dataFolder)}):`,
    ...links.map(({ username, url }) => `    ${username.padEnd(width)}${url}`),
  ];
}
