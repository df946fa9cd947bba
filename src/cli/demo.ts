import type { App } from "../app.ts";
import type { Config } from "../config/config.ts";
import { type ApiClient, apiClient } from "./api-client.ts";
import { type DemoPerson, demoPeople } from "./demo-people.ts";
import { curlTo, wayTo } from "./reach.ts";
import { credentialsFileOf, readRootToken } from "./root-credentials.ts";
import { fromHere, serve, trustLines } from "./serve.ts";

interface Account {
  readonly username: string;
  readonly name: string;
  /** Known only to the start that made it. */
  readonly token?: string;
}

/** As `serve`, with a few people in the store from the first start on, made through the API as anyone would. */
export async function demo(config: Config): Promise<void> {
  await serve(config, presentDemo);
}

async function presentDemo(app: App, config: Config): Promise<string> {
  const credentialsFile = credentialsFileOf(config.dataFolder);
  const rootToken = (await readRootToken(config.dataFolder)) ?? config.rootToken;
  if (rootToken === undefined) {
    return `  In the store already; root's token is not in ${fromHere(credentialsFile)} any more.`;
  }
  const api = apiClient(wayTo(app.origin, config.dataFolder), rootToken);
  const found = await api.get<Account[]>("/users?per_page=20&order_by=id&sort=asc");
  const people = found.filter(({ username }) => username !== "root");
  const isFirstStart = people.length === 0;
  const accounts = isFirstStart ? await addPeople(api) : people;
  return [
    isFirstStart ? "  People (tokens are shown this once):" : "  People (their tokens were shown on the first start):",
    ...accounts.map(({ username, name, token }) => `    ${column(username)}${column(name)}${token ?? ""}`.trimEnd()),
    `    ${column("root")}${column("Administrator")}${fromHere(credentialsFile)}`,
    "  Try:",
    ...trustLines(app),
    ...thingsToTry(curlTo(app, fromHere), accounts.find(({ token }) => token !== undefined)?.token ?? rootToken),
    "  Stop with Ctrl-C; everything acknowledged is on disk.",
  ].join("\n");
}

/** One after the other, so that ids follow the order of the list. */
async function addPeople(api: ApiClient): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const person of demoPeople) accounts.push(await addPerson(api, person));
  return accounts;
}

async function addPerson(api: ApiClient, { token, ...user }: DemoPerson): Promise<Account> {
  const { id, username, name } = await api.post<{ id: number; username: string; name: string }>("/users", {
    ...user,
    force_random_password: true,
    skip_confirmation: true,
  });
  if (token === undefined) return { username, name };
  const created = await api.post<{ token: string }>(`/users/${id}/personal_access_tokens`, token);
  return { username, name, token: created.token };
}

function thingsToTry({ curl: bare, base }: { curl: string; base: string }, token: string): string[] {
  const curl = `${bare} -H "PRIVATE-TOKEN: ${token}"`;
  const api = `${base}/api/v4`;
  return [
    `    ${curl} ${api}/user`,
    `    ${curl} "${api}/users?search=quist"`,
    `    ${curl} -i "${api}/users?per_page=2"`,
    `    ${curl} -i "${api}/users?pagination=keyset&per_page=2"`,
    `    ${curl} -d email=new@skylark.example -d username=newcomer -d name=Newcomer -d force_random_password=true ${api}/users`,
  ];
}

function column(text: string): string {
  return text.padEnd(16);
}
