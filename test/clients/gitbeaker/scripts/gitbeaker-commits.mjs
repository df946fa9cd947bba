// Commits, picks, blame and archives with the stock client; prints what it saw as one line of JSON.
import { api, refusal } from "./gitbeaker-setup.mjs";

const seen = {};
const { id } = await api.Projects.create({ name: "Ledger", path: "ledger" });
const text = (changed = {}) => Array.from({ length: 20 }, (_, at) => `${changed[at] ?? at}\n`).join("");
const first = await api.Commits.create(id, "main", "Begin", [{ action: "create", filePath: "a", content: text() }]);
const dev = await api.Commits.create(
  id,
  "dev",
  "Change 2\n\nChangelog: fixed",
  [
    { action: "update", filePath: "a", content: text({ 2: "two" }) },
    { action: "create", filePath: "x", content: "" },
  ],
  { startBranch: "main" },
);

seen.tried = await api.Commits.cherryPick(id, dev.id, "main", { dryRun: true });
const picked = await api.Commits.cherryPick(id, dev.id, "main");
seen.picked = [picked.title, picked.parent_ids[0] === first.id];
seen.again = (await refusal(api.Commits.cherryPick(id, dev.id, "main"))).status;
seen.reverted = (await api.Commits.revert(id, picked.id, "main")).title;
seen.diff = (await api.Commits.showDiff(id, dev.id)).map(({ new_path }) => new_path);
seen.status = (await api.Commits.editStatus(id, dev.id, "success", { name: "lint" })).status;
seen.statuses = (await api.Commits.allStatuses(id, dev.id)).map(({ name }) => name);
seen.comment = (await api.Commits.createComment(id, dev.id, "Good", { path: "a", line: 3, lineType: "new" })).line;
seen.comments = (await api.Commits.allComments(id, dev.id)).map(({ note }) => note);
const discussion = await api.CommitDiscussions.create(id, dev.id, "Why?");
seen.discussion = (await api.CommitDiscussions.show(id, dev.id, discussion.id)).notes.map(({ body }) => body);

const range = { range: { start: 1, end: 3 } };
seen.blame = (await api.RepositoryFiles.allFileBlames(id, "a", "dev", range)).map(({ lines }) => lines);
seen.base = (await api.Repositories.mergeBase(id, ["main", "dev"])).id === first.id;
seen.contributors = (await api.Repositories.allContributors(id)).map(({ commits }) => commits);
const archive = await api.Repositories.showArchive(id, { fileType: "zip", sha: "dev" });
seen.archive = Buffer.from(await archive.arrayBuffer())
  .subarray(0, 2)
  .toString();
seen.changelog = (await api.Repositories.showChangelog(id, "1.0.0", { from: first.id, to: "dev" })).notes.split(
  "\n",
)[2];

console.log(JSON.stringify(seen));
