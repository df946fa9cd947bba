// Packages and the registry of images with the stock client; prints what it saw as one line of JSON.
import { createHash } from "node:crypto";
import { api, host, token } from "./gitbeaker-setup.mjs";

const seen = {};
const { id } = await api.Projects.create({ name: "Ledger", path: "ledger" });
const publish = (version, text, options) =>
  api.PackageRegistry.publish(id, "app", version, { content: new Blob([text]), filename: "app.bin" }, options);

seen.published = await publish("1.0.0", "first");
await publish("1.1.0", "second");
await publish("2.0.0", "hidden", { status: "hidden" });
const file = await api.PackageRegistry.download(id, "app", "1.1.0", "app.bin");
seen.downloaded = await file.text();
seen.all = (await api.Packages.all({ projectId: id, orderBy: "version", sort: "desc" })).map(({ version }) => version);
const [first] = await api.Packages.all({ projectId: id, packageName: "app" });
seen.shown = await api.Packages.show(id, first.id);
seen.files = await api.Packages.allFiles(id, first.id);
seen.fileRemoved = await api.Packages.removeFile(id, first.id, seen.files[0].id);
seen.filesLeft = await api.Packages.allFiles(id, first.id);
seen.ofGroup = await api.Groups.create("Bank", "bank").then(({ id: groupId }) => api.Packages.all({ groupId }));
seen.removed = await api.Packages.remove(id, first.id);
seen.left = (await api.Packages.all({ projectId: id })).map(({ version }) => version);

const digestOf = (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const headers = { authorization: `Basic ${btoa(`root:${token}`)}` };
const push = (method, path, body) => fetch(`${host}/v2/root/ledger/app/${path}`, { method, headers, body });
const config = "{}";
await push("POST", `blobs/uploads/?digest=${digestOf(config)}`, config);
const manifest = JSON.stringify({ schemaVersion: 2, config: { digest: digestOf(config), size: 2 }, layers: [] });
for (const tag of ["v1", "v2"]) await push("PUT", `manifests/${tag}`, manifest);

seen.repositories = await api.ContainerRegistry.allRepositories({ projectId: id, tagsCount: true });
const [repository] = seen.repositories;
seen.repository = await api.ContainerRegistry.showRepository(repository.id, { tags: true });
seen.tags = (await api.ContainerRegistry.allTags(id, repository.id)).map(({ name }) => name);
seen.tag = await api.ContainerRegistry.showTag(id, repository.id, "v1");
seen.tagRemoved = await api.ContainerRegistry.removeTag(id, repository.id, "v1");
seen.tagsLeft = (await api.ContainerRegistry.allTags(id, repository.id, { pagination: "keyset" })).map(
  ({ name }) => name,
);
for (const tag of ["w1", "w2", "w3"]) await push("PUT", `manifests/${tag}`, manifest);
seen.tagsRemoved = await api.ContainerRegistry.removeTags(id, repository.id, "w.*", { keepN: 1, nameRegexKeep: "w1" });
for (let tries = 0; tries < 500; tries += 1) {
  seen.tagsKept = (await api.ContainerRegistry.allTags(id, repository.id)).map(({ name }) => name);
  if (seen.tagsKept.length === 3) break;
  await new Promise((resolve) => setTimeout(resolve, 10));
}
seen.repositoryRemoved = await api.ContainerRegistry.removeRepository(id, repository.id);

console.log(JSON.stringify(seen));
