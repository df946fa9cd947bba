/** The SPDX identifier, which is also the name. */
export const licenseName = "MIT";

/** The rules for all operations (rest-conventions), so that none has to repeat them. */
export const introduction = `A collaboration platform's REST API, version 4, from one executable and one folder.

**Tokens:** send yours in the header \`PRIVATE-TOKEN\`, as \`Authorization: Bearer\`, or as the parameter \`private_token\` or
\`access_token\`. Administrators whose token has the scope \`sudo\` act as another user with the header or parameter
\`sudo\`, an id or a username. Where an operation takes job tokens, the header \`JOB-TOKEN\` or the parameter \`job_token\` lets a
running job act as its user, in its own project and in those whose allowlist has it.

**Parameters** may be in the query or in the body. A body is JSON or a form, whatever the examples show. Outside
of JSON, arrays are \`name[]=a&name[]=b\`, hashes \`name[key]=value\`. Undeclared parameters are ignored. Unless it says
otherwise, a text has at most 1,048,576 characters and an array 1,000 values.

**Lists** come in pages: \`page\` and \`per_page\`, or \`pagination=keyset\` where a list has the parameter; the header
\`Link\` names the next page.

**Conditions:** answers to GET of up to 4 MiB carry an \`ETag\`, and \`If-None-Match\` with it is answered 304.

**Errors** have \`message\` or \`error\`, as their status says. Every answer has an \`X-Request-Id\`, which is also in the server's log.`;
