// Branches, tags, files and commits with the stock client; prints what it saw as one line of JSON.
import { api } from "./gitbeaker-setup.mjs";

const seen = {};
const failure = async (promise) => {
  try {
    return await promise;
  } catch (error) {
    return { status: error.cause?.response?.status, message: error.message };
  }
};

const project = await api.Projects.create({ name: "Ledger", path: "ledger", initializeWithReadme: true });
const { id } = project;
seen.project = project;

seen.created = await api.RepositoryFiles.create(id, "src/a b.txt", "main", "one", "Add a", {
  authorName: "Ines",
  authorEmail: "ines@people.example",
});
seen.binary = await api.RepositoryFiles.create(id, "b.bin", "main", "AP8K", "Add b", { encoding: "base64" });
seen.edited = await api.RepositoryFiles.edit(id, "src/a b.txt", "main", "two", "Change a");
seen.shown = await api.RepositoryFiles.show(id, "src/a b.txt", "main");
seen.raw = await api.RepositoryFiles.showRaw(id, "src/a b.txt", "main");
seen.twice = await failure(api.RepositoryFiles.create(id, "b.bin", "main", "x", "Again"));

seen.branch = await api.Branches.create(id, "feature/one", "main");
seen.branches = (await api.Branches.all(id)).map(({ name }) => name);
seen.oneBranch = await api.Branches.show(id, "feature/one");
seen.branchRemoved = await api.Branches.remove(id, "feature/one");
seen.branchGone = await failure(api.Branches.show(id, "feature/one"));

seen.tag = await api.Tags.create(id, "v1.0", "main", { message: "The first" });
seen.tags = (await api.Tags.all(id)).map(({ name }) => name);
seen.oneTag = await api.Tags.show(id, "v1.0");
seen.tagRemoved = await api.Tags.remove(id, "v1.0");

seen.tree = (await api.Repositories.allRepositoryTrees(id, { recursive: true, perPage: 2 })).map(({ path }) => path);
seen.keyset = (
  await api.Repositories.allRepositoryTrees(id, { recursive: true, perPage: 2, pagination: "keyset" })
).map(({ path }) => path);
const commits = await api.Commits.all(id, { refName: "main" });
seen.commits = commits.map(({ title, author_name }) => [title, author_name]);
seen.commit = await api.Commits.show(id, commits[0].id);
seen.ofPath = (await api.Commits.all(id, { path: "src/a b.txt" })).map(({ title }) => title);

seen.removed = await api.RepositoryFiles.remove(id, "b.bin", "main", "Remove b");
seen.gone = await failure(api.RepositoryFiles.show(id, "b.bin", "main"));

console.log(JSON.stringify(seen));
