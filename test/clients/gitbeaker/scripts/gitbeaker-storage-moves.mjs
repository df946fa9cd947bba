// Drives what @gitbeaker/rest knows of moves between storages and of snippets, and prints what it saw.
import { api } from "./gitbeaker-setup.mjs";

const seen = {};
const states = (moves) => moves.map(({ state }) => state);
const over = async (moves, options) => {
  for (;;) {
    const all = await moves.all(options);
    if (all.every(({ state }) => state === "finished" || state === "failed")) return states(all);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const group = await api.Groups.create("Skylark", "skylark");
const project = await api.Projects.create({
  name: "Wing",
  namespaceId: group.id,
  initializeWithReadme: true,
  repositoryStorage: "default",
});

// Snippets
const files = [{ file_path: "a.rb", content: "puts 1" }];
const own = await api.Snippets.create("Own", { visibility: "private", files });
seen.own = own;
seen.edited = await api.Snippets.edit(own.id, {
  title: "New",
  files: [{ action: "update", file_path: "a.rb", content: "puts 2" }],
});
seen.content = await api.Snippets.showContent(own.id);
seen.shown = await api.Snippets.show(own.id);
seen.all = (await api.Snippets.all()).map(({ id }) => id);
const inProject = await api.ProjectSnippets.create(project.id, "In a project", { visibility: "public", files });
seen.inProject = inProject;
seen.projectAll = (await api.ProjectSnippets.all(project.id)).map(({ id }) => id);
seen.projectShown = await api.ProjectSnippets.show(project.id, inProject.id);
seen.projectEdited = await api.ProjectSnippets.edit(project.id, inProject.id, { title: "New" });
seen.projectContent = await api.ProjectSnippets.showContent(project.id, inProject.id);

// Moves
const { GroupRepositoryStorageMoves, ProjectRepositoryStorageMoves, SnippetRepositoryStorageMoves } = api;
const to = { destinationStorageName: "storage2" };
seen.projectMove = await ProjectRepositoryStorageMoves.schedule("default", { ...to, projectId: project.id });
seen.projectStates = await over(ProjectRepositoryStorageMoves, { projectId: project.id });
seen.projectMoved = await ProjectRepositoryStorageMoves.show(seen.projectMove.id);
seen.projectMovedThere = await ProjectRepositoryStorageMoves.show(seen.projectMove.id, { projectId: project.id });
seen.groupMove = await GroupRepositoryStorageMoves.schedule("default", { ...to, groupId: group.id });
seen.groupStates = await over(GroupRepositoryStorageMoves, { groupId: group.id });
seen.snippetMove = await SnippetRepositoryStorageMoves.schedule("default", { ...to, snippetId: own.id });
seen.snippetStates = await over(SnippetRepositoryStorageMoves, { snippetId: own.id });
seen.contentAfter = await api.Snippets.showContent(own.id);
seen.back = await ProjectRepositoryStorageMoves.schedule("storage2", { destinationStorageName: "default" });
seen.allStates = await over(ProjectRepositoryStorageMoves);
seen.storage = (await api.Projects.all({ repositoryStorage: "default" })).map(({ id }) => id);
seen.elsewhere = await api.Projects.all({ repositoryStorage: "storage2" });

seen.removed = [await api.Snippets.remove(own.id), await api.ProjectSnippets.remove(project.id, inProject.id)];
seen.left = [await api.Snippets.all(), await api.ProjectSnippets.all(project.id)];
seen.project = project.id;

console.log(JSON.stringify(seen));
