/** Its identifier is its name. */
export const licenseName = "MIT";

/** The rules for all operations, so that none has to repeat them (rest-conventions). */
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

/** One sentence about each tag of the API reference. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Users: "Accounts of people and bots, their profiles, states, emails and memberships.",
  "Custom attributes": "Names and values that administrators attach to users.",
  "Personal access tokens": "Tokens with which users call the API.",
  "Impersonation tokens": "Tokens with which administrators act as another user.",
  Sessions: "Sign-in of browsers.",
  "Own account": "What users change about themselves in the console.",
  Groups: "Groups, which contain projects and other groups.",
  Namespaces: "The paths of users and groups, below which projects are.",
  Projects: "Projects, their settings, lists and stars.",
  Repositories: "Files, branches, tags and commits of projects, and git itself.",
  "Protected branches": "Rules that say who may push to which branches.",
  "Protected tags": "Rules that say who may make which tags.",
  Snippets: "Small files that users share, of their own or in a project.",
  "Repository storage moves": "Moves of repositories between storages.",
  Pipelines: "Pipelines and jobs of projects, with their traces and artifacts.",
  "Job token scope": "The projects and groups whose jobs may access a project.",
  "Pipeline triggers": "Tokens with which other systems start pipelines.",
  Runners: "Programs that run jobs, and the calls that they make.",
  Packages: "Packages of projects, and the generic registry for their files.",
  "Container registry": "Images of projects, and the protocol with which tools push and pull them.",
  "Notification settings": "The events about which the caller gets mails.",
  Issues: "Issues of projects, their time tracking and participants.",
  "Issue statistics": "Numbers of open and closed issues.",
  Members: "Members of groups and projects, and their roles.",
  "Access requests": "Requests of users to become members.",
  Shares: "Groups that are invited to groups and projects.",
  Labels: "Labels of groups and projects.",
  Milestones: "Milestones of groups and projects.",
  Notes: "Comments on issues.",
  "Award emoji": "Emoji reactions to issues and their notes.",
  Epics: "Epics of groups, and the issues in them.",
  "Error tracking": "Errors that applications report, and the keys with which they report them.",
  Alerts: "Alerts that monitoring tools send, and what a project does with them.",
  Settings: "Settings of the instance.",
  "Feature flags": "Features that administrators enable for all or some.",
  "Audit events": "Who changed what, in the instance, groups and projects.",
  Outbox: "Mails that the instance sent or would send.",
  Version: "The version of the API.",
  Sandbox: "Checkpoints, fixtures and the clock of a server that was started with --sandbox.",
  Monitoring: "Health, metrics, background jobs, and calls that no operation answers.",
  Backups: "Archives of the whole store.",
  "API reference": "This description, and the page that shows it.",
  Console: "The pages for people.",
};
