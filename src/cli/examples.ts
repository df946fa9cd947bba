/** The end of `outpost help`. */
export const examples = `
Examples:
  outpost serve                       on port 8080, with the store in ./data
  outpost serve --port 0 --data /srv  on any free port, with another store
  outpost demo                        with people and tokens to try at once

Every flag is also a variable: --log-level is OUTPOST_LOG_LEVEL. The flag wins.
What a verb takes: outpost help <verb>.`;

/** The end of `outpost help serve`. */
export const serveExamples = `
Examples:
  outpost serve
  outpost serve --port 0 --data /srv/outpost
  OUTPOST_ROOT_TOKEN=$(openssl rand -hex 20) outpost serve --log-format json`;

/** The end of `outpost help demo`. */
export const demoExamples = `
Examples:
  outpost demo
  outpost demo --port 0 --data /tmp/outpost-demo`;

/** The end of `outpost help check`. */
export const checkExamples = `
Exit code 0: sound, or repaired. Exit code 3: damaged.

Examples:
  outpost check
  outpost check --data /srv/outpost --repair`;

/** The end of `outpost help token`. */
export const tokenExamples = `
Examples:
  outpost token create --user root --scopes api
  outpost token create --help`;

/** The end of `outpost token create --help`. */
export const tokenCreateExamples = `
No server is needed, and none may hold the folder: one that does is named, with
the call of the API that makes the same token, and the exit code is 1.

Examples:
  outpost token create --user root --scopes api
  outpost token create --user 1 --scopes read_api,read_user --name nightly
  outpost token create --user root --scopes api,sudo --data /srv/outpost --json`;

/** The end of `outpost help audit-events`. */
export const auditEventsExamples = `
Examples:
  outpost audit-events export --format csv > events.csv
  outpost audit-events export --help`;

/** The end of `outpost audit-events export --help`. */
export const auditEventsExportExamples = `
No server is needed, and none may hold the folder. Both bounds are inclusive. In
CSV, a text that a spreadsheet would take for a formula begins with a quote.

Examples:
  outpost audit-events export
  outpost audit-events export --from 2027-01-01 --to 2027-01-31T23:59:59Z
  outpost audit-events export --entity Project:12 --format csv --data /srv/outpost`;

/** The end of `outpost help config`. */
export const configExamples = `
Examples:
  outpost config
  outpost config --port 9000
  outpost config --json | jq -r .data.value`;

/** The end of `outpost help api`. */
export const apiExamples = `
The status goes to stderr, the body to stdout. The token is --token, or
OUTPOST_TOKEN, or for a server on this machine root's: from the data folder's
initial-root-credentials, else OUTPOST_ROOT_TOKEN.

Exit code 0: answered 2xx. 4: 4xx. 5: 5xx. 1: no answer, or any other.

Examples:
  outpost api GET /user
  outpost api GET /users -F search=mara -F per_page=5
  outpost api POST /user/personal_access_tokens -F name=x -F scopes=self_rotate
  outpost api PUT /application/settings -d '{"signup_enabled":false}'`;

/** The end of `outpost help openapi`. */
export const openapiExamples = `
A running server has the same at /-/openapi.json, and a page to try it at /-/api.

Examples:
  outpost openapi --out openapi.json
  outpost openapi | jq '.paths | keys'`;

/** The end of `outpost help version`. */
export const versionExamples = `
Examples:
  outpost version
  outpost version --json`;
