/** The end of `outpost help`. */
export const examples = `
Examples:
  outpost serve                       on port 8080, with the store in ./data
  outpost serve --port 0 --data /srv  on any free port, with another store
  outpost demo                        with people and tokens to try at once

Every flag is also a variable: --log-level is OUTPOST_LOG_LEVEL. The flag wins.`;

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

/** The end of `outpost help openapi`. */
export const openapiExamples = `
A running server has the same at /-/openapi.json, and a page to try it at /-/api.

Examples:
  outpost openapi --out openapi.json
  outpost openapi | jq '.paths | keys'`;

/** The end of `outpost help version`. */
export const versionExamples = `
Example:
  outpost version`;
